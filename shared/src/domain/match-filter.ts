import type { EventFilter, FilterConditions, FilterValue } from './event-filter.js';
import { type Found, valuesAt } from './values-at.js';

/** How a payload compares with a filter, and the cost of the comparison. */
export interface Compared {
  readonly matches: boolean;
  /** At most this many values were compared with a condition, or other work took as long. */
  readonly checks: number;
}

/** Compares an event's payload with a filter. */
export type FilterMatcher = (payload: unknown) => Compared;

/** The cost of compiling a filter, in checks for each character of its text. */
export const COMPILING_CHECKS = 3;
/** The cost of following a path, in checks, besides the values on its way. */
const PATH_CHECKS = 50;

/** Compiles a filter without mistakes. */
export function compileFilter(filter: EventFilter): FilterMatcher {
  const paths = Object.entries(filter).map(([path, items]) => compilePath(path.split('.'), items));
  return (payload) => {
    let checks = 0;
    for (const compare of paths) {
      const compared = compare(payload);
      checks += compared.checks;
      if (!compared.matches) return { matches: false, checks };
    }
    return { matches: true, checks };
  };
}

/** One item has to match. The plain values are looked up in a set. */
function compilePath(names: readonly string[], items: EventFilter[string]): FilterMatcher {
  const plain = new Set<unknown>(items.filter(isValue));
  const isPlain: ValueMatcher = (value) => plain.has(value);
  const objects = items.filter((item): item is FilterConditions => !isValue(item));
  const conditions = objects.map(compileConditions);
  const checksOfValue = objects.reduce((sum, object) => sum + Object.keys(object).length, 1);
  return (payload) => {
    const found = valuesAt(payload, names);
    return {
      matches: found.values.some(isPlain) || conditions.some((matches) => matches(found)),
      checks: PATH_CHECKS + found.visited + found.values.length * checksOfValue,
    };
  };
}

type FoundMatcher = (found: Found) => boolean;
type ValueMatcher = (value: unknown) => boolean;

function isValue(item: FilterValue | FilterConditions): item is FilterValue {
  return typeof item !== 'object' || item === null;
}

/** All conditions have to hold for the same value. */
function compileConditions({ exists, ...conditions }: FilterConditions): FoundMatcher {
  const checks = (Object.entries(conditions) as [keyof typeof COMPILERS, never][]).map(([name, operand]) =>
    COMPILERS[name](operand),
  );
  const [only, ...others] = checks;
  if (only === undefined) return ({ exists: isThere }) => exists === isThere;
  const isMet: ValueMatcher = others.length === 0 ? only : (value) => checks.every((check) => check(value));
  return (found) => (exists === undefined || exists === found.exists) && found.values.some(isMet);
}

/** Numbers and strings compare alike; the compiler allows it for one of the types only. */
type Bound = number;

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
  // Values of another type than the operand's are neither less nor greater.
  gt: (operand: Bound): ValueMatcher => {
    return (value) => typeof value === typeof operand && (value as Bound) > operand;
  },
  gte: (operand: Bound): ValueMatcher => {
    return (value) => typeof value === typeof operand && (value as Bound) >= operand;
  },
  lt: (operand: Bound): ValueMatcher => {
    return (value) => typeof value === typeof operand && (value as Bound) < operand;
  },
  lte: (operand: Bound): ValueMatcher => {
    return (value) => typeof value === typeof operand && (value as Bound) <= operand;
  },
};
