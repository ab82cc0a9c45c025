import type { Endpoint } from '@postrider/shared/domain/endpoint';
import { costOfReading } from '@postrider/shared/domain/endpoint-size';
import { anEndpoint, idFor, NOON } from '@postrider/shared/testing/builders';
import { subscriberOf } from '@postrider/shared/testing/endpoint-parts';
import { expect } from 'chai';
import { createSubscriberPages } from '../../src/fan-out/subscriber-pages.js';
import type { Lane } from '../../src/fan-out/workspace-ring.js';
import { aLane } from './events.js';

const laneOf = (name: string) => aLane({ workspaceId: idFor('workspace', name) });

/** Pages of workspaces with 500 endpoints each. */
function pagesWith(subscriptionsEach: number, options: Partial<Endpoint> = {}) {
  const subscriptions = Array.from({ length: subscriptionsEach }, (_, n) => ({
    eventType: `t${n}`,
    since: NOON,
  }));
  const subscribers = Array.from({ length: 500 }, (_, n) =>
    subscriberOf(anEndpoint({ id: idFor('endpoint', `${n}`), subscriptions, ...options })),
  );
  return createSubscriberPages(
    {
      subscribers: async () => [],
      subscribersAfter: async ({ limit }) =>
        subscribers.slice(
          0,
          Math.min(limit.endpoints, Math.ceil(limit.cost / costOfReading(subscribers[0]!))),
        ),
    },
    () => performance.now(),
  );
}

async function readInTurn(pages: ReturnType<typeof pagesWith>, lanes: readonly Lane[]): Promise<number> {
  for (const lane of lanes) await pages.read([lane]);
  return lanes.filter(({ page }) => page !== null).length;
}

describe('subscriber pages', () => {
  const lanes = () => Array.from({ length: 20 }, (_, n) => laneOf(`${n}`));

  it('keep the pages of twenty workspaces with a few subscriptions for each endpoint', async () => {
    expect(await readInTurn(pagesWith(3), lanes())).to.equal(20);
  });

  it('keep few pages of endpoints with hundreds of subscriptions', async () => {
    expect(await readInTurn(pagesWith(500), lanes())).to.equal(5);
  });

  it('keep few pages of endpoints with large headers', async () => {
    const sealed = { keyId: 'k1', nonce: '', box: 'x'.repeat(11_000) };
    expect(await readInTurn(pagesWith(1, { headers: { names: ['a'], sealed } }), lanes())).to.equal(5);
  });
});
