import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';

const MB = 1_024 * 1_024;
/** A heap is collected at the usual size, but not before the least and not after the most growth, and before it has doubled. */
const USUAL_BYTES = 144 * MB;
const MIN_GROWTH_BYTES = 32 * MB;
const MAX_GROWTH_BYTES = 48 * MB;
const DOUBLE_PERCENT = 100;

/** By how much of its size a heap grows before all of it is collected, in percent. */
export function growthPercent(usedBytes: number): number {
  const growth = Math.min(Math.max(USUAL_BYTES - usedBytes, MIN_GROWTH_BYTES), MAX_GROWTH_BYTES);
  return Math.min(DOUBLE_PERCENT, Math.ceil((100 * growth) / usedBytes));
}

/**
 * Sets how much a heap grows before a full collection. By default V8 collects a heap of 50 MB after 20 MB more: with 100
 * deliveries a second every 8 s, and deliveries sent meanwhile, one in a hundred, are 50 ms late. A heap of 200 MB it
 * collects after 120 MB more, which only takes memory. `NODE_OPTIONS` does not accept the option.
 */
export function boundHeapGrowth(): void {
  let percent: number | null = null;
  const adjust = () => {
    const next = growthPercent(getHeapStatistics().used_heap_size);
    if (next !== percent) setFlagsFromString(`--heap-growing-percent=${next}`);
    percent = next;
  };
  adjust();
  const observer = new PerformanceObserver((list) => {
    if (list.getEntries().some(isFullCollection)) adjust();
  });
  observer.observe({ entryTypes: ['gc'] });
}

/**
 * Lets V8 allocate new objects in the young generation only. By default it allocates them in the old one, which only a full
 * collection frees, if most objects of the same line of code survived a collection of the young one. Those of deliveries in
 * progress do, and become garbage soon after.
 */
export function allocateYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}

function isFullCollection(entry: PerformanceEntry): boolean {
  const { detail } = entry as { readonly detail?: { readonly kind?: number } };
  return detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
}
