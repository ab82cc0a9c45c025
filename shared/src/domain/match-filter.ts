import type { EventFilter, FilterConditions, FilterValue } from './event-filter.js';
import { type Found, valuesAt } from './values-at.js';

/** Whether an event's payload matches. */
export type FilterMatcher = (payload: unknown) => boolean;

/** Compiles a filter without mistakes. */
export function compileFilter(filter: EventFilter): FilterMatcher {
  const paths = Object.entries(filter).map(([path, items]) => {
    const names = path.split('.');
    const matches = compileList(items);
    return (payload: unknown) => matches(valuesAt(payload, names));
  });
  return (payload) => paths.every((matches) => matches(payload));
}

type FoundMatcher = (found: Found) => boolean;
type ValueMatcher = (value: unknown) => boolean;

/** One item has to match. The plain values are looked up in a set. */
function compileList(items: EventFilter[string]): FoundMatcher {
  const plain = new Set<unknown>(items.filter(isValue));
  const conditions = items.filter((item): item is FilterConditions => !isValue(item)).map(compileConditions);
  const isPlain: ValueMatcher = (value) => plain.has(value);
  return (found) => found.values.some(isPlain) || conditions.some((matches) => matches(found));
}

function isValue(item: FilterValue | FilterConditions): item is FilterValue {
  return typeof item !== 'object' || item === null;
}

/** All conditions have to hold for the same value. */
function compileConditions({ exists, ...conditions }: FilterConditions): FoundMatcher {
  const checks = (Object.entries(conditions) as [keyof typeof COMPILERS, never][]).map(([name, operand]) =>
    COMPILERS[name](operand),
  );
  const isMet: ValueMatcher = (value) => checks.every((check) => check(value));
  return (found) => {
    if (exists !== undefined && exists !== found.exists) return false;
    return checks.length === 0 || found.values.some(isMet);
  };
}

const COMPILERS = {
  equals: (operand: FilterValue): ValueMatcher => {
    return (value) => value === operand;
  },
  anything_but: (operand: FilterValue | readonly FilterValue[]): ValueMatcher => {
    const refused = new Set<unknown>([operand].flat());
    return (value) => !refused.has(value);
  },
  prefix: (operand: string): ValueMatcher => {
    return (value) => typeof value === 'string' && value.startsWith(operand);
  },
  suffix: (operand: string): ValueMatcher => {
    return (value) => typeof value === 'string' && value.endsWith(operand);
  },
  gt: compare((order) => order > 0),
  gte: compare((order) => order >= 0),
  lt: compare((order) => order < 0),
  lte: compare((order) => order <= 0),
};

/** Values of another type than the operand's are neither less nor greater. */
function compare(holds: (order: number) => boolean) {
  return (operand: number | string): ValueMatcher =>
    (value) =>
      typeof value === typeof operand && holds(orderOf(value as typeof operand, operand));
}

function orderOf(one: number | string, other: number | string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
