import { LRUCache } from 'lru-cache';
import type { Count, Counter } from './counter.js';

interface SampledCounterParts {
  readonly counter: Counter;
  readonly limit: number;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
}

interface Sample {
  readonly count: Count;
  readonly endsAt: number;
  /** Requests of this process that the shared counter does not know yet. */
  unreported: number;
}

/** A process reports a hundredth of the limit at once, so several together exceed it by a hundredth each at most. */
const REPORTS_PER_WINDOW = 100;
const MAX_CLIENTS = 10_000;

/** Counts in this process and reports to a shared counter in portions: a limit of many clients costs few writes. */
export function createSampledCounter({ counter, limit, now }: SampledCounterParts): Counter {
  const portion = Math.max(1, Math.floor(limit / REPORTS_PER_WINDOW));
  const samples = new LRUCache<string, Sample>({ max: MAX_CLIENTS });

  const countLocally = (sample: Sample): Count => {
    sample.unreported += 1;
    const remaining = sample.count.remaining - sample.unreported;
    return { isAdmitted: true, remaining, resetsInMs: sample.endsAt - now() };
  };
  const report = async (client: string, requests: number): Promise<Count> => {
    const count = await counter(client, requests);
    samples.set(client, { count, endsAt: now() + count.resetsInMs, unreported: 0 });
    return count;
  };

  return async (client) => {
    const sample = samples.get(client);
    if (sample === undefined || sample.endsAt <= now()) return report(client, 1);
    const isNearLimit = sample.unreported + 1 >= sample.count.remaining;
    if (!isNearLimit && sample.unreported + 1 < portion) return countLocally(sample);
    const requests = sample.unreported + 1;
    sample.unreported = 0;
    return report(client, requests);
  };
}
