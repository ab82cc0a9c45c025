import { encodeCursor } from '@postrider/shared/domain/page';
import { expect } from 'chai';
import fc from 'fast-check';
import { pageById, pageNewestFirst } from '../../src/operations/read-page.js';
import type { CreationOrder } from '../../src/ports/reads.js';

const MAX_PAGE = 4 * 1_024 * 1_024;

/** An in-memory list, newest first by (createdAt, id), with the reads of the database. */
function listOf(rows: readonly CreationOrder[]) {
  const key = ({ createdAt, id }: CreationOrder) => `${createdAt.toISOString()} ${id}`;
  const ordered = [...rows].sort((one, other) => (key(one) < key(other) ? 1 : -1));
  return async ({ after, limit }: { after: CreationOrder | null; limit: number }) =>
    ordered.filter((row) => after === null || key(row) < key(after)).slice(0, limit);
}

const rowsArbitrary = fc.uniqueArray(
  fc.record({
    id: fc.stringMatching(/^[a-z0-9]{1,6}$/),
    createdAt: fc.date({ min: new Date('2026-01-01'), max: new Date('2026-01-02'), noInvalidDate: true }),
  }),
  { selector: ({ id }) => id, maxLength: 40 },
);

describe('list pages', () => {
  it('continue where a bounded read stopped, also without a row', async () => {
    const position = { createdAt: new Date('2026-01-01T00:00:00.000Z'), id: 'a' };
    const request = { limit: 10 };
    const show = ({ id }: CreationOrder) => id;
    const read = async () => ({ rows: [], readTo: position });
    const { items, nextCursor } = await pageNewestFirst({ list: 'rows', request, read, show });
    expect(items).to.be.empty;
    const asked: unknown[] = [];
    const next = async ({ after }: { after: CreationOrder | null }) => {
      asked.push(after);
      return { rows: [], readTo: null };
    };
    const again = { limit: 10, cursor: nextCursor as string };
    const last = await pageNewestFirst({ list: 'rows', request: again, read: next, show });
    expect([asked, last.nextCursor]).to.deep.equal([[position], null]);
  });

  it('contain every row once and in order, for any page size', async () => {
    await fc.assert(
      fc.asyncProperty(rowsArbitrary, fc.integer({ min: 1, max: 15 }), async (rows, limit) => {
        const read = listOf(rows);
        const seen: string[] = [];
        let cursor: string | null | undefined;
        do {
          const request = { limit, ...(cursor != null && { cursor }) };
          const page = await pageNewestFirst({ list: 'rows', request, read, show: ({ id }) => id });
          expect(page.items.length).to.be.at.most(limit);
          seen.push(...page.items);
          cursor = page.nextCursor;
        } while (cursor !== null);
        const all = await read({ after: null, limit: 1_000 });
        expect(seen).to.deep.equal(all.map(({ id }) => id));
      }),
      { numRuns: 60 },
    );
  });

  it('contain every row once although they are cut at 4 Mi characters, one row at least', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e'];
    const read = async ({ after, limit }: { after: string | null; limit: number }) =>
      ids
        .filter((id) => after === null || id > after)
        .slice(0, limit)
        .map((id) => ({ id }));
    const sizes: Readonly<Record<string, number>> = { a: 0.4, b: 0.4, c: 0.4, d: 2, e: 0.1 };
    const show = ({ id }: { id: string }) => ({ id, text: 'x'.repeat((sizes[id] ?? 0) * MAX_PAGE) });
    const pages: string[][] = [];
    let cursor: string | null | undefined;
    do {
      const request = { limit: 4, ...(cursor != null && { cursor }) };
      const page = await pageById({ list: 'rows', request, read, show });
      pages.push(page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== null && pages.length < 10);
    expect(pages).to.deep.equal([['a', 'b'], ['c'], ['d'], ['e']]);
  });

  for (const [name, cursor] of [
    ['a position without an id', encodeCursor('rows', [])],
    ['an empty id', encodeCursor('rows', [''])],
    ['a position with surplus parts', encodeCursor('rows', ['a', 'b'])],
  ] as const) {
    it(`by id are empty for ${name}, without a read`, async () => {
      const read = () => Promise.reject(new Error('must not be read'));
      const page = await pageById({ list: 'rows', request: { cursor }, read, show: (row) => row });
      expect(page).to.deep.equal({ items: [], nextCursor: null });
    });
  }

  for (const [name, cursor] of [
    ['an undecodable cursor', '%%%'],
    ['a cursor from another list', encodeCursor('others', ['2026-01-01T00:00:00.000Z', 'a'])],
    ['a position without an id', encodeCursor('rows', ['2026-01-01T00:00:00.000Z'])],
    ['a position with an invalid date', encodeCursor('rows', ['yesterday', 'a'])],
    ['a position with surplus parts', encodeCursor('rows', ['2026-01-01T00:00:00.000Z', 'a', 'b'])],
  ] as const) {
    it(`are empty for ${name}, without a read`, async () => {
      const read = async () => {
        throw new Error('must not be read');
      };
      const page = await pageNewestFirst({ list: 'rows', request: { cursor }, read, show: (row) => row });
      expect(page).to.deep.equal({ items: [], nextCursor: null });
    });
  }

  it('by id read one row more than they contain', async () => {
    const slices: unknown[] = [];
    const read = async (slice: object) => {
      slices.push(slice);
      return [{ id: 'a' }, { id: 'b' }];
    };
    const page = await pageById({ list: 'rows', request: { limit: 1 }, read, show: ({ id }) => id });
    expect(page).to.deep.equal({ items: ['a'], nextCursor: encodeCursor('rows', ['a']) });
    await pageById({ list: 'rows', request: { cursor: page.nextCursor! }, read, show: ({ id }) => id });
    expect(slices).to.deep.equal([
      { after: null, limit: 2 },
      { after: 'a', limit: 51 },
    ]);
  });
});
