import type { StatStep } from './delivery-stats.js';
import { HOUR_MS } from './durations.js';

/** The beginning of the hour (UTC). */
export function hourOf(at: Date): Date {
  return new Date(beginOfHour(at));
}

/** The same in milliseconds. */
export function beginOfHour(at: Date): number {
  return Math.floor(at.getTime() / HOUR_MS) * HOUR_MS;
}

/** The counts of one endpoint, or of one workspace, in one hour. */
export interface HourCounts {
  readonly hour: Date;
  /** Counts, or changes of counts, by field. Late outcomes are included in their field, and counted once more under `late.`. */
  readonly fields: Map<string, number>;
}

/** The prefix of a field that counts the part of late outcomes in another field. */
export const LATE = 'late.';

/** Adds a step to the counts of its hour. */
export function addStep(fields: Map<string, number>, { field, by, isLate }: Omit<StatStep, 'at'>): void {
  fields.set(field, (fields.get(field) ?? 0) + by);
  if (isLate) fields.set(`${LATE}${field}`, (fields.get(`${LATE}${field}`) ?? 0) + by);
}

/** Adds steps to hours, by the time in milliseconds at which each begins. */
export function addSteps(hours: Map<number, HourCounts>, steps: readonly StatStep[]): void {
  for (const step of steps) {
    const begin = beginOfHour(step.at);
    let counts = hours.get(begin);
    if (counts === undefined) {
      counts = { hour: new Date(begin), fields: new Map() };
      hours.set(begin, counts);
    }
    addStep(counts.fields, step);
  }
}

/** Adds the counts of one hour to those of another. */
export function addCounts(to: Map<string, number>, from: ReadonlyMap<string, number>): void {
  for (const [field, count] of from) to.set(field, (to.get(field) ?? 0) + count);
}

/** Adds hours to the sums of others. */
export function addHours(to: Map<number, HourCounts>, from: ReadonlyMap<number, HourCounts>): void {
  for (const [begin, { hour, fields }] of from) {
    const sum = to.get(begin) ?? { hour, fields: new Map<string, number>() };
    to.set(begin, sum);
    addCounts(sum.fields, fields);
  }
}

/** An hour to replace, and the version that it replaces; null for one that is not stored. */
export interface Replacement extends HourCounts {
  readonly version: number | null;
}

/**
 * The hours to replace so that the stored ones become as counted, plus their stored part of late outcomes, whose rows are not
 * counted. Hours outside of the span do not change.
 */
export function replacements(
  stored: ReadonlyMap<number, HourCounts & { readonly version: number }>,
  counted: ReadonlyMap<number, HourCounts>,
  span: { readonly from: Date; readonly before: Date },
): Replacement[] {
  const begins = [...new Set([...stored.keys(), ...counted.keys()])];
  return begins.flatMap((begin) => {
    if (begin < span.from.getTime() || begin >= span.before.getTime()) return [];
    const [before, after] = [stored.get(begin), counted.get(begin)];
    const stays = before?.fields ?? new Map<string, number>();
    const fields = new Map(after?.fields);
    addCounts(fields, lateOf(stays));
    const wanted = withoutZeros(fields);
    if (areEqual(withoutZeros(stays), wanted)) return [];
    return [{ hour: new Date(begin), fields: wanted, version: before?.version ?? null }];
  });
}

/**
 * The part of late outcomes in the counts of an hour, under both of its fields. A negative count is left out: its positive
 * count was lost with a process, or made by a process that did not count late outcomes separately.
 */
function lateOf(fields: ReadonlyMap<string, number>): Map<string, number> {
  const late = [...fields].filter(([field, count]) => field.startsWith(LATE) && count > 0);
  return new Map([...late, ...late.map(([field, count]) => [field.slice(LATE.length), count] as const)]);
}

function withoutZeros(fields: ReadonlyMap<string, number>): Map<string, number> {
  return new Map([...fields].filter(([, count]) => count !== 0));
}

function areEqual(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): boolean {
  return one.size === other.size && [...one].every(([field, count]) => other.get(field) === count);
}
