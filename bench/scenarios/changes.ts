import type { DeliveryRecord } from '../account/delivery-records.js';
import type { Environment } from '../environment/environment.js';
import { machineNow } from '../measure/clock.js';
import { distributionOf } from '../measure/quantile.js';
import { countWithin, longestGap, type Span, slicesPerSecond } from '../measure/timeline.js';
import type { Figure, Part } from '../report/row.js';
import { firstArrivalsOf, latenciesOf } from './figures.js';
import { type Observed, observe, publishStreams, type Stream } from './load.js';

/** A change of the running processes under load. */
export interface Change {
  readonly label: string;
  /** From its beginning until the end of its aftermath. */
  readonly span: Span;
  /** From SIGTERM to exit, in milliseconds; null if nothing was stopped. */
  readonly stopMs: number | null;
}

/** Changes by their label. Each may return how long a process took to stop. */
export type Steps = Readonly<Record<string, () => Promise<unknown>>>;

const SLICE_MS = 250;

/** Makes changes one after the other under load, with a pause before the first one and after each. */
export async function observeChanges(
  environment: Environment,
  streams: readonly Stream[],
  { steps, aftermathMs }: { readonly steps: Steps; readonly aftermathMs: number },
): Promise<Observed & { readonly changes: readonly Change[] }> {
  const changes: Change[] = [];
  const observed = await observe(environment, async () => {
    const publishing = publishStreams(environment, streams);
    // It also rejects if a step fails first.
    publishing.catch(() => {});
    await environment.sleep(aftermathMs);
    for (const [label, step] of Object.entries(steps)) {
      const from = machineNow();
      const stopMs = await step();
      await environment.sleep(aftermathMs);
      changes.push({
        label,
        span: { from, to: machineNow() },
        stopMs: typeof stopMs === 'number' ? stopMs : null,
      });
    }
    await environment.generator.calls.stop();
    return publishing;
  });
  return { ...observed, changes };
}

/** The longest time without a first arrival. */
export function gapFigure(deliveries: readonly DeliveryRecord[], span: Span): Figure {
  const value = longestGap(firstArrivalsOf(deliveries), span);
  return { name: 'longest gap', unit: 'ms', value, goal: { atMost: 3_000 } };
}

/**
 * How a change affected deliveries that are created at a fixed rate.
 *
 * @param deliveries expected to need one attempt each
 */
export function changeFigures(
  { label, span, stopMs }: Change,
  deliveries: readonly DeliveryRecord[],
  perSecond: number,
): Part {
  const slices = slicesPerSecond(firstArrivalsOf(deliveries), span, SLICE_MS);
  const created = deliveries.filter(({ createdAt }) => createdAt >= span.from && createdAt < span.to);
  const repeated = deliveries.flatMap(({ arrivals }) => arrivals.slice(1));
  const lost = secondsLost(slices, perSecond, SLICE_MS);
  return {
    label,
    figures: [
      gapFigure(deliveries, span),
      { name: 'throughput lost', unit: 's', value: lost, goal: { atMost: 3 } },
      { name: 'longest wait', unit: 'ms', value: distributionOf(latenciesOf(created)).max },
      { name: 'stopped after', unit: 'ms', value: stopMs },
      { name: 'POSTs made twice', unit: '', value: countWithin(repeated, span) },
    ],
  };
}

/**
 * Seconds of a rate that are missing in these slices. A slice above the rate does not compensate for another.
 *
 * @returns null without slices
 */
export function secondsLost(slices: readonly number[], perSecond: number, sliceMs: number): number | null {
  if (slices.length === 0) return null;
  return slices.reduce((lost, rate) => lost + (Math.max(0, 1 - rate / perSecond) * sliceMs) / 1_000, 0);
}
