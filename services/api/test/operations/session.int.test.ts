import { getSession, PostriderError } from '@postrider/client';
import { expect } from 'chai';
import { type ApiWorld, apiWorld } from '../api-world.js';

describe('get_session', () => {
  let world: ApiWorld;
  before(async () => {
    world = await apiWorld();
  });
  after(() => world?.destroy());

  it('returns the workspace, the expanded permissions and the expiry of any valid token', async () => {
    const expiresAt = new Date(world.clock.now().getTime() + 60_000);
    const { secret, origin: baseUrl } = await world.as(['member:list', 'webhook:test'], { expiresAt });
    expect(await getSession({ baseUrl, token: secret })).to.deep.include({
      workspace: { slug: 'acme', name: world.workspace.name },
      permissions: ['member:list', 'webhook:test'],
      effectivePermissions: ['member:list', 'webhook:test'],
      endpointIds: null,
      expiresAt: expiresAt.toISOString(),
    });
  });

  it('refuses an unknown token', async () => {
    const { origin: baseUrl } = await world.as(['read']);
    const error = await getSession({ baseUrl, token: 'prt_unknown' }).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(PostriderError).with.property('tag', 'Unauthorized');
  });
});
