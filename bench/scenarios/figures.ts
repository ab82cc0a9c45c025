import type { DeliveryRecord, Records } from '../account/delivery-records.js';
import type { Published } from '../generator/plan.js';
import { type Distribution, distributionOf } from '../measure/quantile.js';
import { countWithin, type Span } from '../measure/timeline.js';
import type { Consumption } from '../processes/meter.js';
import type { Figure, Goal, Row } from '../report/row.js';

/** Occurrences per second in a span; null if the span has no end. */
export function rateFigure(
  name: string,
  count: number,
  { from, to }: { readonly from: number; readonly to: number | null },
  goal?: Goal,
): Figure {
  const value = to === null ? null : (count * 1_000) / (to - from);
  return { name, unit: '/s', value, goal };
}

type Statistic = keyof Distribution;
export type Goals = Partial<Record<Statistic, Goal>>;

/** Selected statistics of values in milliseconds. */
export function distributionFigures(
  values: Iterable<number>,
  statistics: readonly Statistic[],
  goals: Goals = {},
): Figure[] {
  const distribution = distributionOf(values);
  return statistics.map((name) => ({ name, unit: 'ms', value: distribution[name], goal: goals[name] }));
}

/** From the timestamp of the event to the arrival of the first POST. */
export function latencyFigures(records: Iterable<DeliveryRecord>, goals: Goals = {}): Figure[] {
  return distributionFigures(latenciesOf(records), ['p50', 'p95', 'p99', 'max'], goals);
}

export function latenciesOf(records: Iterable<DeliveryRecord>): number[] {
  return [...records].flatMap(({ createdAt, arrivals: [first] }) =>
    first === undefined ? [] : first - createdAt,
  );
}

/** First arrivals in a span divided by the deliveries created in it: 1 if groups receive all that they should. */
export function keptRateFigure(records: Records, span: Span, groups: readonly string[], goal: Goal): Figure {
  const ofGroups = [...records.values()].filter(({ group }) => groups.includes(group));
  const created = countWithin(
    ofGroups.map(({ createdAt }) => createdAt),
    span,
  );
  const arrived = countWithin(firstArrivalsOf(ofGroups), span);
  return { name: 'rate kept', unit: '', value: created === 0 ? null : arrived / created, goal };
}

/** The p99 of these figures divided by that of the baseline. */
export function timesP99Figure(latencies: readonly Figure[], baseline: Row | null, goal: Goal): Figure {
  const p99Of = (figures: readonly Figure[] = []) =>
    figures.find(({ name }) => name === 'p99')?.value ?? null;
  const [p99, baselineP99] = [p99Of(latencies), p99Of(baseline?.figures)];
  const value = p99 === null || baselineP99 === null ? null : p99 / baselineP99;
  return { name: 'times p99', unit: '', value, goal };
}

/** A rate divided by that of the baseline. */
export function shareOfRateFigure(
  rate: string,
  { figures, baseline }: { readonly figures: readonly Figure[]; readonly baseline: Row | null },
  goal: Goal,
): Figure {
  const [own, other] = [figures, baseline?.figures ?? []].map(
    (some) => some.find(({ name }) => name === rate)?.value ?? null,
  );
  const value = own == null || other == null ? null : own / other;
  return { name: 'share of the rate', unit: '', value, goal };
}

/** How late the generator itself was: a rate that it could not keep was not measured. */
export function lagFigure({ lagP99Ms }: Published): Figure {
  return { name: 'generator late p99', unit: 'ms', value: lagP99Ms };
}

/** The peak memory of all processes of a name together. */
export function memoryFigure(processes: readonly Consumption[], goal?: Goal, of = 'dispatcher'): Figure {
  const bytes = processes.find(({ name }) => name === of)?.peakBytes ?? null;
  return { name: `${of} RSS peak`, unit: 'MB', value: bytes && bytes / 1e6, goal };
}

/** The deliveries of published events to one group, or to several. */
export function deliveriesOf(
  records: Records,
  { first, events }: Published,
  groups: readonly string[],
): DeliveryRecord[] {
  return [...records.values()].filter(
    ({ event, group }) => event >= first && event < first + events && groups.includes(group),
  );
}

/** When each delivery arrived for the first time, unordered. */
export function firstArrivalsOf(records: Iterable<DeliveryRecord>): number[] {
  return [...records].flatMap(({ arrivals }) => arrivals[0] ?? []);
}
