import { anEndpoint } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import type { Page } from '../../src/contract/page.js';
import { type ApiWorld, apiWorld, newId } from '../api-world.js';

const LIMIT = 200;
const MOST_CHARACTERS = 4.1 * 1_024 * 1_024;
/** 500 prefixes of 100 characters, as many as an endpoint may have. */
const PREFIXES = Array.from({ length: 500 }, (_, n) => `${`p${n}_`.padEnd(97, 'x')}.*`);
const COUNT = 120;

describe('pages of lists', () => {
  let world: ApiWorld;
  let admin: Awaited<ReturnType<ApiWorld['as']>>;
  before(async () => {
    world = await apiWorld();
    admin = await world.as(['admin']);
  });
  after(() => world?.destroy());

  it('have at most 4 MiB, and show everything one after the other', async () => {
    const subscriptions = PREFIXES.map((eventType) => ({ eventType, since: new Date() }));
    const { id: workspaceId } = world.workspace;
    const { id: _, ...fields } = anEndpoint({ workspaceId, subscriptions });
    const ids = Array.from({ length: COUNT }, () => newId('endpoint'));
    await world.database.collections.endpoints.insertMany(ids.map((_id) => ({ ...fields, _id })) as never[]);
    const found: string[] = [];
    let pages = 0;
    for (let cursor: string | null = ''; cursor !== null; pages += 1) {
      const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { body } = await admin.request<Page<{ id: string }>>(`/webhooks?limit=${LIMIT}${query}`);
      expect(JSON.stringify(body).length).to.be.below(MOST_CHARACTERS);
      found.push(...body.items.map(({ id }) => id));
      cursor = body.nextCursor;
    }
    expect(found).to.have.members(ids);
    expect(pages).to.equal(2);
  });
});
