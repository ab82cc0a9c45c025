import { expect } from 'chai';
import fc from 'fast-check';
import { clampLimit, decodeCursor, encodeCursor, type PageShape, pageOf } from '../../src/domain/page.js';

const LIST = 'deliveries whe_1';
/** Any text, including lone surrogates. */
const text = fc.uint16Array({ maxLength: 20 }).map((units) => String.fromCharCode(...units));
const raw = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('clampLimit, section 4.3', () => {
  const TABLE = [
    [undefined, 50],
    [50, 50],
    [1, 1],
    [0, 1],
    [-5, 1],
    [200, 200],
    [201, 200],
    [1e9, 200],
    [1.5, 1],
    [0.5, 1],
    [199.9, 199],
    [200.5, 200],
    [Number.NaN, 50],
    [Number.POSITIVE_INFINITY, 200],
    [Number.NEGATIVE_INFINITY, 1],
  ] as const;
  for (const [given, expected] of TABLE) {
    it(`converts ${given} to ${expected}`, () => expect(clampLimit(given)).to.equal(expected));
  }

  it('converts every number to an integer from 1 to 200', () => {
    fc.assert(
      fc.property(fc.double(), (limit) => {
        const clamped = clampLimit(limit);
        expect(Number.isInteger(clamped) && clamped >= 1 && clamped <= 200).to.equal(true);
      }),
    );
  });
});

describe('cursor', () => {
  it('decodes to its position', () => {
    const position = fc.array(text, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(text, position, (list, at) => {
        expect(decodeCursor(list, encodeCursor(list, at))).to.deep.equal(at);
      }),
    );
  });

  it('needs no escaping in a query string', () => {
    expect(encodeCursor('lists???', ['ÿþ~~~', '>>>'])).to.match(/^[A-Za-z0-9_-]+$/);
  });

  it('is invalid in another list or for another owner', () => {
    const cursor = encodeCursor(LIST, ['whd_1']);
    for (const other of ['deliveries whe_2', 'notifications', '', 'whd_1']) {
      expect(decodeCursor(other, cursor)).to.equal(null);
    }
  });

  const UNDECODABLE = [
    ['an empty text', ''],
    ['invalid base64', '%%%'],
    ['base64 of invalid JSON', Buffer.from('hello').toString('base64url')],
    ['an object', raw({ list: LIST })],
    ['null', raw(null)],
    ['a list without a position', raw([LIST])],
    ['a position of numbers', raw([LIST, 17])],
    ['a position that contains null', raw([LIST, null, 'whd_1'])],
    ['a truncated cursor', encodeCursor(LIST, ['whd_1']).slice(0, -4)],
    ['a __proto__ field', Buffer.from('{"__proto__":["x","y"]}').toString('base64url')],
  ] as const;
  for (const [name, cursor] of UNDECODABLE) {
    it(`is invalid: ${name}`, () => expect(decodeCursor(LIST, cursor)).to.equal(null));
  }

  it('is null for any other text, and never throws', () => {
    fc.assert(fc.property(text, (cursor) => decodeCursor(LIST, cursor) === null));
  });
});

describe('pageOf', () => {
  const shape = (limit: number): PageShape<number, string> => ({
    list: 'numbers',
    limit,
    positionOf: (row) => [`${row}`],
    toItem: (row) => `number ${row}`,
  });

  it('returns all rows without a cursor if there is no surplus row', () => {
    expect(pageOf([1, 2], shape(2))).to.deep.equal({ items: ['number 1', 'number 2'], nextCursor: null });
    expect(pageOf([], shape(2))).to.deep.equal({ items: [], nextCursor: null });
  });

  it('returns a cursor of the last row of the page, not of the surplus row', () => {
    const page = pageOf([1, 2, 3], shape(2));
    expect(page.items).to.deep.equal(['number 1', 'number 2']);
    expect(decodeCursor('numbers', page.nextCursor ?? '')).to.deep.equal(['2']);
  });

  it('returns every row of a list exactly once over all pages', () => {
    const read = (after: number, surplus: number) => ALL.filter((row) => row > after).slice(0, surplus);
    const ALL = Array.from({ length: 7 }, (_, index) => index);
    for (const limit of [1, 2, 3, 7, 8]) {
      const seen: string[] = [];
      let after = -1;
      for (let next: string | null = ''; next !== null; ) {
        const page = pageOf(read(after, limit + 1), shape(limit));
        seen.push(...page.items);
        next = page.nextCursor;
        after = Number(decodeCursor('numbers', next ?? '')?.[0]);
      }
      expect(seen).to.deep.equal(ALL.map((row) => `number ${row}`));
    }
  });
});
