import type { StatStep } from './delivery-stats.js';

export const HOUR_MS = 60 * 60 * 1_000;

/** The beginning of the hour (UTC). */
export function hourOf(at: Date): Date {
  return new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS);
}

/** The counts of one endpoint, or of one workspace, in one hour. */
export interface HourCounts {
  readonly hour: Date;
  /** Changes of counts, or counts, by field. */
  readonly fields: Map<string, number>;
}

/** Adds steps to hours, by the time in milliseconds at which each begins. */
export function addSteps(hours: Map<number, HourCounts>, steps: readonly StatStep[]): void {
  for (const { at, field, by } of steps) {
    const begin = Math.floor(at.getTime() / HOUR_MS) * HOUR_MS;
    let counts = hours.get(begin);
    if (counts === undefined) {
      counts = { hour: new Date(begin), fields: new Map() };
      hours.set(begin, counts);
    }
    counts.fields.set(field, (counts.fields.get(field) ?? 0) + by);
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

/** What must be replaced so that the stored hours are as counted. Hours outside of the span are left alone. */
export function replacements(
  stored: ReadonlyMap<number, HourCounts & { readonly version: number }>,
  counted: ReadonlyMap<number, HourCounts>,
  span: { readonly from: Date; readonly before: Date },
): Replacement[] {
  const begins = [...new Set([...stored.keys(), ...counted.keys()])];
  return begins.flatMap((begin) => {
    if (begin < span.from.getTime() || begin >= span.before.getTime()) return [];
    const [before, after] = [stored.get(begin), counted.get(begin)];
    const fields = withoutZeros(after?.fields ?? new Map());
    if (areEqual(withoutZeros(before?.fields ?? new Map()), fields)) return [];
    return [{ hour: new Date(begin), fields, version: before?.version ?? null }];
  });
}

function withoutZeros(fields: ReadonlyMap<string, number>): Map<string, number> {
  return new Map([...fields].filter(([, count]) => count !== 0));
}

function areEqual(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): boolean {
  return one.size === other.size && [...one].every(([field, count]) => other.get(field) === count);
}
