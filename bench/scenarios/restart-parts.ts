import type { DeliveryRecord } from '../account/delivery-record.js';
import { distributionOf } from '../measure/quantile.js';
import { countWithin, longestGap, type Span, slicesPerSecond } from '../measure/timeline.js';
import type { Figure, Part } from '../report/row.js';
import { firstArrivalsOf } from './figures.js';
import { secondsLost } from './rebalance.js';

/** A process was restarted, or a job was run. */
export interface Restart {
  readonly label: string;
  /** From its beginning until its consequences were over. */
  readonly span: Span;
  /** From SIGTERM to its end, in milliseconds; null when it ended by itself. */
  readonly stopMs: number | null;
}

const SLICE_MS = 250;

/** The longest time in which nothing arrived for the first time. */
export function gapFigure(deliveries: readonly DeliveryRecord[], span: Span): Figure {
  const value = longestGap(firstArrivalsOf(deliveries), span);
  return { name: 'longest gap', unit: 'ms', value, goal: { atMost: 3_000 } };
}

/**
 * What a restart did to deliveries that come at a rate.
 *
 * @param deliveries of one attempt each
 */
export function partOf(
  { label, span, stopMs }: Restart,
  deliveries: readonly DeliveryRecord[],
  perSecond: number,
): Part {
  const slices = slicesPerSecond(firstArrivalsOf(deliveries), span, SLICE_MS);
  const waits = deliveries
    .filter(({ madeAt }) => madeAt >= span.from && madeAt < span.to)
    .flatMap(({ madeAt, arrivals }) => (arrivals[0] === undefined ? [] : [arrivals[0] - madeAt]));
  const repeated = deliveries.flatMap(({ arrivals }) => arrivals.slice(1));
  return {
    label,
    figures: [
      gapFigure(deliveries, span),
      { name: 'throughput lost', unit: 's', value: secondsLost(slices, perSecond, SLICE_MS) },
      { name: 'longest wait', unit: 'ms', value: distributionOf(waits).greatest },
      { name: 'stopped after', unit: 'ms', value: stopMs },
      { name: 'POSTs made twice', unit: '', value: countWithin(repeated, span) },
    ],
  };
}

/** Tells equal names apart: `api 1`, `api 2`; a name that comes once stays as it is. */
export function numbered(names: readonly string[]): string[] {
  return names.map((name, index) => {
    const nth = names.slice(0, index + 1).filter((other) => other === name).length;
    return names.filter((other) => other === name).length === 1 ? name : `${name} ${nth}`;
  });
}
