import { DAY_MS, HOUR_MS } from '@postrider/shared/domain/durations';
import { Refusal } from './refusal.js';

export const STATS_STEPS = { hour: HOUR_MS, day: DAY_MS } as const;
export type StatsStep = keyof typeof STATS_STEPS;

/** The period to count, in steps. */
export interface StatsSpan {
  readonly from: Date;
  readonly to: Date;
  readonly step: StatsStep;
  /** The start of each step. */
  readonly starts: readonly Date[];
}

interface AskedSpan {
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly step?: StatsStep | undefined;
}

const LONGEST_IN_HOURS_MS = 7 * DAY_MS;
const MAX_STEPS = 1_000;

/** @throws Refusal `InvalidRequest` when the end is before the start, or there are too many steps */
export function statsSpan(asked: AskedSpan, now: Date): StatsSpan {
  const to = asked.to ?? now;
  const from = asked.from ?? new Date(Math.min(now.getTime(), to.getTime()) - DAY_MS);
  const lengthMs = to.getTime() - from.getTime();
  if (lengthMs < 0) throw Refusal.invalid({ path: 'from', message: 'must not be after to' });
  const step = asked.step ?? (lengthMs <= LONGEST_IN_HOURS_MS ? 'hour' : 'day');
  if (step === 'hour' && lengthMs > LONGEST_IN_HOURS_MS)
    throw Refusal.invalid({ path: 'step', message: 'must be day for more than 7 days' });
  const stepMs = STATS_STEPS[step];
  const first = Math.floor(from.getTime() / stepMs) * stepMs;
  const count = Math.ceil((to.getTime() - first) / stepMs);
  if (count > MAX_STEPS)
    throw Refusal.invalid({ path: 'from', message: `must be at most ${MAX_STEPS} steps before to` });
  return {
    from,
    to,
    step,
    starts: Array.from({ length: count }, (_, index) => new Date(first + index * stepMs)),
  };
}
