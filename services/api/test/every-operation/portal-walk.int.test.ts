import { expect } from 'chai';
import type { CreatedPortalLink } from '../../src/contract/portal-link.js';
import { METHODS, type Operation } from '../../src/document/openapi.js';
import { readDocument } from '../../src/document/read-document.js';
import { LIMITED_ACCESS } from '../../src/operations/operation-access.js';
import { type ApiClient, createApiClient } from '../api-client.js';
import { type ApiWorld, apiWorld } from '../api-world.js';
import { answersOnce } from './answers-once.js';
import { createResources } from './resources.js';
import { scenariosOf } from './scenarios.js';

interface Declared {
  readonly template: string;
  readonly method: string;
  readonly operation: Operation;
}

const declared: readonly Declared[] = Object.entries(readDocument().paths).flatMap(([template, item]) =>
  METHODS.flatMap((method) => (item[method] ? [{ template, method, operation: item[method] }] : [])),
);
const withToken = declared.filter(
  ({ operation, template }) =>
    operation.security.length > 0 && template.includes('{slug}') && answersOnce(operation),
);
/** Any identifier. */
const ID = /\b[a-z]{2,4}_[0-9a-z]{26}\b/g;
/** Collections that requests change by being made. */
const COUNTED = new Set(['rateLimits', 'idempotencyKeys', 'quotaPlaces']);

/** Sends each operation for resources of other endpoints with a link that has every permission and one endpoint. */
/** The ids in the examples of the document, which event types show, too. */
const EXAMPLES = new Set(JSON.stringify(readDocument()).match(ID));

describe('a portal link with one endpoint', () => {
  let world: ApiWorld;
  let portal: ApiClient;
  let scenarios: ReturnType<typeof scenariosOf>;
  const own = new Set<string>();
  before(async () => {
    world = await apiWorld();
    const admin = await world.as(['admin']);
    const resources = createResources(world, admin);
    scenarios = scenariosOf(resources);
    const endpointId = await resources.endpoint();
    const body = { endpointIds: [endpointId], scopes: ['admin'] };
    const link = (await admin.request<CreatedPortalLink>('/portal-links', { body })).body;
    portal = createApiClient({ origin: admin.origin, slug: 'acme', secret: link.token, tokenId: link.id });
    for (const id of [endpointId, link.id]) own.add(id);
    await resources.delivery('dead_lettered');
  });
  after(() => world?.destroy());

  /** Everything that is stored, as text. */
  async function stored(): Promise<string> {
    const rows = await Promise.all(
      Object.entries(world.database.collections)
        .filter(([name]) => !COUNTED.has(name))
        .map(([, collection]) => collection.find().sort({ _id: 1 }).toArray()),
    );
    return JSON.stringify(rows);
  }
  async function send({ template, method, operation }: Declared) {
    const { ids = {}, body } = await scenarios[operation.operationId]!.success();
    const path = template
      .replace('/workspaces/{slug}', '')
      .replace(/\{(\w+)\}/g, (_, name: string) => ids[name]!);
    const before = await stored();
    const answer = await portal.requestRefused(path, { method: method.toUpperCase(), ...(body && { body }) });
    return { ...answer, asked: Object.values(ids), isUnchanged: (await stored()) === before };
  }

  it('has a decision for every operation', () => {
    const ids = declared.map(({ operation }) => operation.operationId).sort();
    expect(Object.keys(LIMITED_ACCESS).sort()).to.deep.equal(ids);
  });

  for (const one of withToken) {
    const { operationId } = one.operation;
    const access = LIMITED_ACCESS[operationId as keyof typeof LIMITED_ACCESS];
    // An event is no resource of an endpoint: one that is not stored is explained as unknown.
    const isAboutOther = one.template.replace('{slug}', '').includes('{') && operationId !== 'explain_event';

    it(`shows and changes nothing of others by ${operationId}`, async () => {
      const { status, body, asked, isUnchanged } = await send(one);
      if (access === 'forbidden') expect([status, body.tag]).to.deep.equal([403, 'Forbidden']);
      else if (access === 'hidden' || isAboutOther || one.method !== 'get') expect(status).to.equal(404);
      else expect(status).to.be.below(300);
      const shown = JSON.stringify(body ?? null).match(ID) ?? [];
      expect(shown.filter((id) => !own.has(id) && !EXAMPLES.has(id) && !asked.includes(id))).to.deep.equal(
        [],
      );
      expect(isUnchanged, 'unchanged').to.equal(true);
    });
  }
});
