import type { components } from '@postrider/client';

export type StatsItem = components['schemas']['DeliveryStatsItem'];
type Step = components['schemas']['DeliveryStats']['step'];

/** The outcomes of deliveries, as they are stacked from below. */
export const OUTCOMES = ['delivered', 'failed', 'failedPermanent', 'deadLettered', 'held'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export const PERIODS = ['24h', '7d', '30d'] as const;
export type Period = (typeof PERIODS)[number];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const STEP_MS: Readonly<Record<Step, number>> = { hour: HOUR_MS, day: DAY_MS };
const STEPS: Readonly<Record<Period, { readonly step: Step; readonly count: number }>> = {
  '24h': { step: 'hour', count: 24 },
  '7d': { step: 'hour', count: 168 },
  '30d': { step: 'day', count: 30 },
};

/** Whole steps, of which the last one has not ended yet. */
export function spanOf(period: Period, now: Date): { readonly from: string; readonly step: Step } {
  const { step, count } = STEPS[period];
  const current = Math.floor(now.getTime() / STEP_MS[step]);
  return { from: new Date((current - count + 1) * STEP_MS[step]).toISOString(), step };
}

export interface Segment {
  readonly outcome: Outcome;
  /** Counts: those below it, and its own. */
  readonly below: number;
  readonly count: number;
}

/** The segments of one step's bar, from below; outcomes that did not occur have none. */
export function segmentsOf(item: StatsItem): readonly Segment[] {
  let below = 0;
  return OUTCOMES.flatMap((outcome) => {
    const count = item[outcome];
    const segment = { outcome, below, count };
    below += count;
    return count > 0 ? [segment] : [];
  });
}

export function totalOf(item: StatsItem): number {
  return OUTCOMES.reduce((sum, outcome) => sum + item[outcome], 0);
}

export function sumOf(items: readonly StatsItem[], outcome: Outcome): number {
  return items.reduce((sum, item) => sum + item[outcome], 0);
}

/** The share of the ended deliveries that were accepted. Those that are retried or held have not ended. Null without any. */
export function successRateOf(items: readonly StatsItem[]): number | null {
  const delivered = sumOf(items, 'delivered');
  const ended = delivered + sumOf(items, 'failedPermanent') + sumOf(items, 'deadLettered');
  return ended === 0 ? null : delivered / ended;
}

/** The latest step with attempts; null without any. */
export function latestDurations(items: readonly StatsItem[]): StatsItem['latencyMs'] {
  return items.findLast(({ latencyMs }) => latencyMs !== null)?.latencyMs ?? null;
}

/** The end of an axis: the next number that is 1, 2 or 5 times a power of ten. */
export function axisEnd(largest: number): number {
  if (largest <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(largest));
  return ([1, 2, 5].find((factor) => factor * power >= largest) ?? 10) * power;
}

/** A line through the steps: horizontal within a step, interrupted where a value is missing. */
export function linePath(values: readonly (number | null)[], end: number): string {
  return values
    .map((value, index) => {
      if (value === null) return '';
      const y = (100 - (100 * value) / end).toFixed(2);
      const isJoined = (values[index - 1] ?? null) !== null;
      return `${isJoined ? 'L' : 'M'}${index} ${y}H${index + 1}`;
    })
    .join('');
}
