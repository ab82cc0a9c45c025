import { expect } from 'chai';
import { type ApiWorld, apiWorld } from '../api-world.js';

describe('stream_deliveries without outcomes', () => {
  let world: ApiWorld;
  before(async () => {
    world = await apiWorld();
  });
  after(() => world?.destroy());

  for (const [query, status, tag] of [
    ['', 503, 'StreamsDisabled'],
    ['?eventType=unknown.type', 400, 'InvalidRequest'],
    ['?source=audit', 400, 'InvalidRequest'],
    ['?payload=maybe', 400, 'InvalidRequest'],
    ['?source=events&endpointId=whe_1', 400, 'InvalidRequest'],
  ] as const) {
    it(`answers ${status} ${tag} to "${query}"`, async () => {
      const client = await world.as(['webhook:list']);
      const answer = await client.requestRefused(`/stream${query}`);
      expect([answer.status, answer.body.tag]).to.deep.equal([status, tag]);
    });
  }

  it('needs the permission to list webhooks', async () => {
    const client = await world.as(['member:list']);
    expect((await client.requestRefused('/stream')).status).to.equal(403);
  });
});
