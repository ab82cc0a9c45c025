import { createClockHoldRecord, createGuardRecords } from '@postrider/shared/mongo/outage-guard-records';
import { expect } from 'chai';
import type { SendingHold } from '../../src/contract/sending-hold.js';
import type { ApiClient } from '../api-client.js';
import { type ApiWorld, apiWorld } from '../api-world.js';
import { storedDelivery } from '../delivery-row.js';
import { assistant } from '../mcp/mcp-client.js';
import { endpointsOf } from './endpoints-of.js';

interface Answer {
  readonly sendingHolds?: readonly SendingHold[];
}

describe('answers while sending is held', () => {
  let world: ApiWorld;
  let reader: ApiClient;
  /** Every answer that shows deliveries or their endpoints. */
  let paths: readonly string[];
  before(async () => {
    world = await apiWorld();
    reader = await world.as(['read']);
    const { id } = await endpointsOf(world, await world.as(['admin'])).create();
    const delivery = await storedDelivery(world, { endpointId: id, status: 'pending' });
    paths = [
      '/overview',
      '/webhooks',
      `/webhooks/${id}`,
      `/webhooks/${id}/deliveries`,
      '/webhooks/deliveries',
      `/webhooks/deliveries/${delivery.id}`,
    ];
  });
  after(() => world?.destroy());

  const holdsAt = async (path: string) => (await reader.request<Answer>(path)).body.sendingHolds;
  /** An answer may be a second old. */
  const later = () => world.clock.advance(1_001);

  /** @returns the time that answers have, when it is that of the action */
  const timeOf = async (hold: () => Promise<unknown>, cause: SendingHold['cause']): Promise<string> => {
    const from = world.clock.now();
    await hold();
    const to = world.clock.now();
    later();
    const since = (await holdsAt('/overview'))?.find((one) => one.cause === cause)?.since ?? '';
    expect(new Date(since)).to.be.within(from, to);
    return since;
  };

  it('have the reason and the time, and omit both while sending is not held', async () => {
    const publisher = { processId: 'dispatcher', clock: world.clock };
    const outage = createGuardRecords(world.database.collections, publisher);
    const clock = createClockHoldRecord(world.database.collections, publisher);
    for (const path of paths)
      expect((await reader.request<Answer>(path)).body).to.not.have.key('sendingHolds');
    const since = await timeOf(() => outage.publish({ holding: true, domains: [], origins: [] }), 'outage');
    for (const path of paths) expect(await holdsAt(path), path).to.deep.equal([{ cause: 'outage', since }]);
    const sinceClock = await timeOf(() => clock.publish(true), 'clock');
    const both = [
      { cause: 'outage', since },
      { cause: 'clock', since: sinceClock },
    ];
    for (const path of paths) expect(await holdsAt(path), path).to.deep.equal(both);
    await outage.publish({ holding: false, domains: [], origins: [] });
    await clock.publish(false);
    later();
    for (const path of paths) expect(await holdsAt(path), path).to.equal(undefined);
  });

  it('have the reason as results of tools as well, without a time if a dispatcher of an older version holds', async () => {
    const { outageGuards } = world.database.collections;
    const expiresAt = new Date(world.clock.now().getTime() + 60_000);
    await outageGuards.insertOne({ _id: 'older', holding: true, domains: [], expiresAt });
    later();
    const tools = await assistant(reader.origin, reader.secret);
    for (const tool of ['get_workspace_overview', 'list_webhooks', 'list_deliveries']) {
      const { result } = await tools.use<Answer>(tool);
      expect(result.sendingHolds, tool).to.deep.equal([{ cause: 'outage', since: null }]);
    }
    await tools.close();
    await outageGuards.deleteMany({});
  });
});
