import type { ApiToken } from '@postrider/shared/domain/api-token';
import { anApiToken } from '@postrider/shared/testing/workspace-builders';
import { expect } from 'chai';
import { liveDescendants } from '../../src/operations/live-descendants.js';
import type { CreatorToken, FamilyState } from '../../src/ports/unit-of-work.js';

const live = (id: string, createdBy: string | null): ApiToken =>
  anApiToken({ id: id as never, createdBy: createdBy as never });

/** Returns the ids of the descendants, and the ids of the creators that each query read. */
async function find(tokens: readonly ApiToken[], ancestors: readonly CreatorToken[]) {
  const queries: (readonly string[])[] = [];
  const found = await liveDescendants(
    {
      live: async (_, limit) => tokens.slice(0, limit),
      creators: async (ids) => {
        queries.push(ids);
        return ancestors.filter(({ id }) => ids.includes(id));
      },
    },
    {} as never,
  );
  return { ids: found?.map(({ id }) => id as string) ?? null, queries };
}
const ancestor = (id: string, createdBy: string | null, family: FamilyState | null = null) => ({
  id,
  createdBy,
  family,
});

describe('liveDescendants', () => {
  it('are the live tokens below a pending one, over any number of others', async () => {
    const tokens = [live('child', 'root'), live('grandchild', 'between'), live('stranger', 'other')];
    const { ids } = await find(tokens, [
      ancestor('root', 'above', 'pending'),
      ancestor('between', 'revoked'),
      ancestor('revoked', 'root', 'done'),
      ancestor('other', null),
    ]);
    expect(ids).to.deep.equal(['child', 'grandchild']);
  });

  it('do not include the pending token, nor tokens that no token made', async () => {
    const { ids, queries } = await find([live('first', null)], []);
    expect([ids, queries]).to.deep.equal([[], []]);
  });

  it('are found with one query for each level, which reads no token twice and none above a pending one', async () => {
    const tokens = [live('a', 'x'), live('b', 'x'), live('c', 'y')];
    const { queries } = await find(tokens, [
      ancestor('x', 'y'),
      ancestor('y', 'root'),
      ancestor('root', 'above', 'pending'),
    ]);
    expect(queries).to.deep.equal([['x', 'y'], ['root']]);
  });

  it('are not found among more than 5,000 live tokens', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => live(`t${index}`, 'root'));
    const root = [ancestor('root', null, 'pending')];
    expect((await find(many(5_000), root)).ids).to.have.length(5_000);
    expect((await find(many(5_001), root)).ids).to.equal(null);
  });

  it('are not found over more than 1,000 levels', async () => {
    const chain = (levels: number) =>
      Array.from({ length: levels }, (_, index) =>
        ancestor(`a${index}`, `a${index + 1}`, index === levels - 1 ? 'pending' : null),
      );
    const token = [live('t', 'a0')];
    expect((await find(token, chain(1_000))).ids).to.deep.equal(['t']);
    expect((await find(token, chain(1_001))).ids).to.equal(null);
  });
});
