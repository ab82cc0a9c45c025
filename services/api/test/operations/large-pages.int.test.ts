import { anEndpoint } from '@postrider/shared/testing/builders';
import { profiled } from '@postrider/shared/testing/profiled';
import { expect } from 'chai';
import type { Page } from '../../src/contract/page.js';
import { type ApiWorld, apiWorld, newId } from '../api-world.js';

const LIMIT = 200;
const MAX_CHARACTERS = 4.1 * 1_024 * 1_024;
const MAX_READ_BYTES = 4 * 1_024 * 1_024;
/** 500 prefixes of 100 characters, as many as an endpoint may have. */
const PREFIXES = Array.from({ length: 500 }, (_, n) => `${`p${n}_`.padEnd(97, 'x')}.*`);
const COUNT = 120;

describe('pages of lists', () => {
  let world: ApiWorld;
  let admin: Awaited<ReturnType<ApiWorld['as']>>;
  let ids: string[];
  before(async () => {
    world = await apiWorld();
    admin = await world.as(['admin']);
    const subscriptions = PREFIXES.map((eventType) => ({ eventType, since: new Date() }));
    const { id: workspaceId } = world.workspace;
    const { id: _, ...fields } = anEndpoint({ workspaceId, subscriptions });
    ids = Array.from({ length: COUNT }, () => newId('endpoint'));
    await world.database.collections.endpoints.insertMany(ids.map((_id) => ({ ...fields, _id })) as never[]);
  });
  after(() => world?.destroy());

  /** Reads one page after the other. */
  async function* pagesOf(query: string) {
    for (let cursor: string | null = ''; cursor !== null; ) {
      const next: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      let page: Page<{ id: string }> = { items: [], nextCursor: null };
      const reads = await profiled(world.database.db, async () => {
        page = (await admin.request<Page<{ id: string }>>(`/webhooks?${query}${next}`)).body;
      });
      yield { page, readBytes: reads.reduce((sum, { responseLength = 0 }) => sum + responseLength, 0) };
      cursor = page.nextCursor;
    }
  }

  it('have at most 4 MiB, and show everything one after the other', async () => {
    const found: string[] = [];
    let pages = 0;
    for await (const { page } of pagesOf(`limit=${LIMIT}`)) {
      expect(JSON.stringify(page).length).to.be.below(MAX_CHARACTERS);
      found.push(...page.items.map(({ id }) => id));
      pages += 1;
    }
    expect(found).to.have.members(ids);
    expect(pages).to.equal(2);
  });

  it('read at most 4 MiB of endpoints that do not match', async () => {
    for await (const { page, readBytes } of pagesOf(`limit=${LIMIT}&text=none`)) {
      expect(page.items).to.deep.equal([]);
      expect(readBytes).to.be.below(MAX_READ_BYTES);
    }
  });

  it('find every large endpoint once', async () => {
    const found: string[] = [];
    for await (const { page } of pagesOf('limit=15&text=P499_'))
      found.push(...page.items.map(({ id }) => id));
    expect(found).to.deep.equal([...ids].sort());
  });
});
