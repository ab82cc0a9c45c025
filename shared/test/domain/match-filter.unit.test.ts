import { expect } from 'chai';
import fc from 'fast-check';
import {
  type EventFilter,
  type FilterConditions,
  readFilter,
  storeFilter,
} from '../../src/domain/event-filter.js';
import { compileFilter } from '../../src/domain/match-filter.js';

const PAYLOAD = {
  plan: 'team',
  amount: 120,
  note: null,
  customer: { name: 'ada', tags: ['new', 'eu'], address: {} },
  lines: [{ sku: 'a-1', count: 2 }, { sku: 'b-2' }, 'free text'],
  empty: [],
  paid: true,
};
const matches = (filter: EventFilter, payload: unknown = PAYLOAD) => compileFilter(filter)(payload).matches;

/** The semantics as they are written down, without any regard to cost. */
namespace Reference {
  type Item = EventFilter[string][number];

  function leaves(value: unknown): unknown[] {
    return Array.isArray(value) ? value.flatMap(leaves) : [value];
  }

  function at(value: unknown, names: readonly string[]): { found: boolean; values: unknown[] } {
    const [name, ...rest] = names;
    if (name === undefined) return { found: true, values: leaves(value) };
    if (Array.isArray(value)) {
      const each = value.map((element) => at(element, names));
      return { found: each.some(({ found }) => found), values: each.flatMap(({ values }) => values) };
    }
    if (typeof value !== 'object' || value === null || !Object.keys(value).includes(name))
      return { found: false, values: [] };
    return at((value as Record<string, unknown>)[name], rest);
  }

  function isMet(name: string, operand: unknown, value: unknown): boolean {
    const comparable = typeof value === typeof operand;
    switch (name) {
      case 'equals':
        return JSON.stringify(value) === JSON.stringify(operand);
      case 'anything_but':
        return ![operand].flat().some((refused) => JSON.stringify(refused) === JSON.stringify(value));
      case 'prefix':
        return typeof value === 'string' && value.slice(0, String(operand).length) === operand;
      case 'suffix':
        return (
          typeof value === 'string' && (operand === '' || value.slice(-String(operand).length) === operand)
        );
      case 'gt':
        return comparable && (value as number) > (operand as number);
      case 'gte':
        return comparable && (value as number) >= (operand as number);
      case 'lt':
        return comparable && (value as number) < (operand as number);
      default:
        return comparable && (value as number) <= (operand as number);
    }
  }

  function itemMatches(item: Item, { found, values }: ReturnType<typeof at>): boolean {
    if (typeof item !== 'object' || item === null) return itemMatches({ equals: item }, { found, values });
    if ('exists' in item && item.exists !== found) return false;
    const others = Object.entries(item).filter(([name]) => name !== 'exists');
    return (
      others.length === 0 ||
      values.some((value) => others.every(([name, operand]) => isMet(name, operand, value)))
    );
  }

  export function matches(filter: EventFilter, payload: unknown): boolean {
    return Object.entries(filter).every(([path, items]) =>
      items.some((item) => itemMatches(item, at(payload, path.split('.')))),
    );
  }
}

const NAMES = ['a', 'b', 'toString', '__proto__'];
const scalar = fc.oneof(
  fc.constantFrom('', '1', 'a', 'ab', 'b'),
  fc.integer({ min: -1, max: 2 }),
  fc.boolean(),
  fc.constant(null),
);
const bound = fc.oneof(fc.constantFrom('', '1', 'a', 'ab'), fc.integer({ min: -1, max: 2 }));
const CONDITIONS = {
  equals: scalar,
  anything_but: fc.oneof(scalar, fc.array(scalar, { minLength: 1, maxLength: 3 })),
  prefix: fc.constantFrom('', 'a', 'b'),
  suffix: fc.constantFrom('', 'a', 'b'),
  gt: bound,
  gte: bound,
  lt: bound,
  lte: bound,
  exists: fc.boolean(),
};
/** Few conditions at once, because hardly any value meets many. */
const conditions = fc
  .tuple(fc.record(CONDITIONS), fc.subarray(Object.keys(CONDITIONS), { minLength: 1, maxLength: 2 }))
  .map(([all, kept]): FilterConditions => {
    return Object.fromEntries(Object.entries(all).filter(([condition]) => kept.includes(condition)));
  });
const name = fc.constantFrom(...NAMES);
const filter: fc.Arbitrary<EventFilter> = fc.dictionary(
  fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('.')),
  fc.array(fc.oneof(scalar, conditions), { minLength: 1, maxLength: 3 }),
  { minKeys: 1, maxKeys: 3 },
);
const payload = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.dictionary(name, tie('value'), { maxKeys: 3 }),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
})).value;

describe('compileFilter', () => {
  it('matches as the plain reading of its rules does, for any filter and payload', () => {
    fc.assert(
      fc.property(filter, payload, (some, value) => {
        const stored = readFilter(storeFilter(some));
        expect(compileFilter(stored)(value).matches).to.equal(Reference.matches(some, value));
      }),
      { numRuns: 2_000 },
    );
  });

  it('compares the values at one path as the plain reading of its rules does', () => {
    const item = fc.oneof(scalar, conditions);
    const valuesThere = fc.oneof(scalar, fc.array(scalar, { maxLength: 2 }));
    fc.assert(
      fc.property(item, fc.oneof(valuesThere, fc.constant(undefined)), (some, value) => {
        const path = { a: [some] };
        const event = value === undefined ? {} : { a: value };
        expect(matches(path, event)).to.equal(Reference.matches(path, event));
      }),
      { numRuns: 5_000 },
    );
  });

  it('requires every path, and one item of each list', () => {
    expect(matches({ plan: ['business', 'team'], amount: [{ gte: 100 }] })).to.equal(true);
    expect(matches({ plan: ['business', 'team'], amount: [{ gte: 121 }] })).to.equal(false);
    expect(matches({ plan: ['free'], amount: [{ gte: 100 }] })).to.equal(false);
    expect(matches({})).to.equal(true);
  });

  it('compares values with their JSON type', () => {
    expect(matches({ amount: ['120'] })).to.equal(false);
    expect(matches({ amount: [{ gt: '1' }] })).to.equal(false);
    expect(matches({ plan: [{ gt: 'tea' }] })).to.equal(true);
    expect(matches({ paid: ['true', 1] })).to.equal(false);
    expect(matches({ note: [null] })).to.equal(true);
    expect(matches({ plan: [null] })).to.equal(false);
  });

  it('matches a missing path by exists: false alone', () => {
    for (const item of [null, { anything_but: 'x' }, { exists: true }, { lt: 5 }])
      expect(matches({ 'customer.age': [item] }), JSON.stringify(item)).to.equal(false);
    expect(matches({ 'customer.age': [{ exists: false }] })).to.equal(true);
    expect(matches({ note: [{ exists: false }] }), 'null is a value').to.equal(false);
    expect(matches({ empty: [{ exists: true }] })).to.equal(true);
    expect(matches({ toString: [{ exists: false }] }), 'only the own fields of an object').to.equal(true);
  });

  it('matches a list when one of its elements does, also on the way', () => {
    expect(matches({ 'customer.tags': ['eu'] })).to.equal(true);
    expect(matches({ 'customer.tags': [{ anything_but: 'eu' }] })).to.equal(true);
    expect(matches({ 'lines.sku': [{ prefix: 'b-' }] })).to.equal(true);
    expect(matches({ 'lines.count': [{ gt: 2 }] })).to.equal(false);
    expect(matches({ empty: [{ anything_but: 1 }] })).to.equal(false);
  });

  it('requires all conditions of one object for the same value', () => {
    const between: EventFilter = { n: [{ gt: 5, lt: 10 }] };
    expect(matches(between, { n: 7 })).to.equal(true);
    expect(matches(between, { n: [1, 20] })).to.equal(false);
    expect(matches({ n: [{ exists: false, gt: 5 }] }, {})).to.equal(false);
  });

  it('refuses one value or several by anything_but', () => {
    expect(matches({ plan: [{ anything_but: 'team' }] })).to.equal(false);
    expect(matches({ plan: [{ anything_but: ['free', 'team'] }] })).to.equal(false);
    expect(matches({ plan: [{ anything_but: ['free', null] }] })).to.equal(true);
    expect(matches({ 'customer.address': [{ anything_but: 'x' }] })).to.equal(true);
  });

  it('looks at the first 1,000 elements of lists for a path, so that an event cannot cost any amount', () => {
    const list = Array.from({ length: 1_001 }, (_, index) => index);
    expect(matches({ n: [999] }, { n: list })).to.equal(true);
    expect(matches({ n: [1_000] }, { n: list })).to.equal(false);
    const deep = JSON.parse(`${'['.repeat(20_000)}1${']'.repeat(20_000)}`);
    expect(matches({ n: [1] }, { n: deep })).to.equal(false);
  });

  it('counts a check for each value and condition, with no fewer than were made', () => {
    const checks = (filter: EventFilter, value: unknown) => compileFilter(filter)({ n: value }).checks;
    const list = Array.from({ length: 1_000 }, () => 1);
    const conditions = Array.from({ length: 200 }, () => ({ gt: 9 }));
    expect(checks({ n: [5] }, 1)).to.be.lessThan(100);
    expect(checks({ n: [5] }, list)).to.be.within(2_000, 3_000);
    expect(checks({ n: conditions }, list)).to.be.within(200_000, 210_000);
    expect(
      checks({ n: [{ gt: 0, lt: 9 }], m: [5] }, list),
      'of a filter whose first path matches',
    ).to.be.within(2_000, 5_000);
    expect(
      checks(
        { 'n.a.a.a': [{ exists: true }] },
        list.map(() => ({ a: { a: { a: 1 } } })),
      ),
    ).to.be.greaterThan(4_000);
  });
});
