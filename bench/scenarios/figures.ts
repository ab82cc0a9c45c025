import type { DeliveryRecord, Records } from '../account/delivery-record.js';
import type { Published } from '../generator/plan.js';
import { distributionOf } from '../measure/quantile.js';
import { countWithin, type Span } from '../measure/timeline.js';
import type { Consumption } from '../processes/meter.js';
import type { Figure, Goal } from '../report/row.js';

/** How often something happened in a span, per second; unknown while the span has no end. */
export function rateFigure(
  name: string,
  count: number,
  { from, to }: { readonly from: number; readonly to: number | null },
  goal?: Goal,
): Figure {
  const value = to === null ? null : (count * 1_000) / (to - from);
  return { name, unit: '/s', value, ...(goal && { goal }) };
}

export type LatencyGoals = Partial<Record<'p50' | 'p95' | 'p99', Goal>>;

/** From the event's timestamp to the arrival of the first POST. */
export function latencyFigures(records: Iterable<DeliveryRecord>, goals: LatencyGoals = {}): Figure[] {
  const latencies = [];
  for (const { madeAt, arrivals } of records) {
    if (arrivals[0] !== undefined) latencies.push(arrivals[0] - madeAt);
  }
  const { p50, p95, p99, greatest } = distributionOf(latencies);
  const goalOf = (goal: Goal | undefined) => (goal === undefined ? {} : { goal });
  return [
    { name: 'p50', unit: 'ms', value: p50, ...goalOf(goals.p50) },
    { name: 'p95', unit: 'ms', value: p95, ...goalOf(goals.p95) },
    { name: 'p99', unit: 'ms', value: p99, ...goalOf(goals.p99) },
    { name: 'max', unit: 'ms', value: greatest },
  ];
}

interface Kept {
  readonly span: Span;
  readonly groups: readonly string[];
  readonly goal: Goal;
}

/** What arrived in a span for each delivery that became owed in it: 1 when some groups get all that they should. */
export function keptFigure(records: Records, { span, groups, goal }: Kept): Figure {
  const ofGroups = [...records.values()].filter(({ group }) => groups.includes(group));
  const owed = ofGroups.filter(({ madeAt }) => madeAt >= span.from && madeAt < span.to).length;
  const came = countWithin(firstArrivalsOf(ofGroups), span);
  return { name: 'rate kept', unit: '', value: owed === 0 ? null : came / owed, goal };
}

/** The p99 of these figures against one that was measured before. */
export function timesFigure(latencies: readonly Figure[], before: number | null, goal: Goal): Figure {
  const p99 = latencies.find(({ name }) => name === 'p99')?.value ?? null;
  const value = p99 === null || before === null ? null : p99 / before;
  return { name: 'times p99', unit: '', value, goal };
}

/** The generator's own delay: a rate that it could not keep was not measured. */
export function lagFigure({ lagP99Ms }: Published): Figure {
  return { name: 'generator late p99', unit: 'ms', value: lagP99Ms };
}

/** The most memory that the processes of a name had together, the dispatchers unless given. */
export function memoryFigure(processes: readonly Consumption[], goal?: Goal, of = 'dispatcher'): Figure {
  const bytes = processes.find(({ name }) => name === of)?.peakBytes ?? null;
  return { name: `${of} RSS peak`, unit: 'MB', value: bytes && bytes / 1e6, ...(goal && { goal }) };
}

/** The deliveries of some events, of some groups. */
export function deliveriesOf(
  records: Records,
  { first, events }: Published,
  groups: readonly string[],
): DeliveryRecord[] {
  return [...records.values()].filter(
    ({ event, group }) => event >= first && event < first + events && groups.includes(group),
  );
}

/** When each delivery arrived for the first time, in no order. */
export function firstArrivalsOf(records: Iterable<DeliveryRecord>): number[] {
  return [...records].flatMap(({ arrivals }) => arrivals[0] ?? []);
}
