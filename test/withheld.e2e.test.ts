import { eventually } from '@postrider/shared/testing/eventually';
import { type NameServer, nameServer } from '@postrider/shared/testing/name-server';
import { expect } from 'chai';
import { chooseFreePorts } from '#dev/processes/free-ports';
import { type System, startSystem } from './system.js';

interface Items<T> {
  readonly items: T[];
}
interface Delivery {
  readonly deliveryId: string;
  readonly status: string;
  readonly nextAttemptAt: string;
}
interface Attempt {
  readonly ordinal: number;
  readonly status: string;
  readonly failureReason: string | null;
}

const STEP_MS = 5_000;
const TIMEOUT_MS = 1_000;
/** As few domains as the outage guard may judge by. */
const DOMAINS = 5;
const STOPS_WITHIN_MS = 10_000;
/** Keeps the connection for so long that the next POST certainly reuses it. */
const KEEPING = { raw: 'HTTP/1.1 200 OK\r\nkeep-alive: timeout=30\r\ncontent-length: 0\r\n\r\n' };

describe('failures that the outage guard withholds when their dispatcher gets a SIGTERM', () => {
  let system: System;
  let names: NameServer;
  before(async () => {
    names = await nameServer(() => ({ addresses: ['127.0.0.1'] }));
    system = await startSystem({
      RETRY_STEP: `${STEP_MS}ms`,
      DELIVERY_TIMEOUT: `${TIMEOUT_MS}ms`,
      EGRESS_NAME_SERVERS: names.address,
      OUTAGE_GUARD_MIN_ORIGINS: String(DOMAINS),
      OUTAGE_GUARD_MIN_WORKSPACES: '1',
    });
  });
  after(async () => {
    await system?.stop();
    await names?.close();
  });

  const call = <T>(method: string, path: string, body?: object) => system.client.call<T>(method, path, body);
  const createEndpoint = async (name: string, port = system.receiver.port) => {
    const url = `http://hooks.${name}.example:${port}/${name}`;
    return (await call<{ id: string }>('POST', '/webhooks', { url, eventTypes: ['billing.plan_changed'] }))
      .id;
  };
  const sendTest = (endpointId: string) => call('POST', `/webhooks/${endpointId}/test-event`);
  const posts = (name: string) => system.receiver.received.filter(({ path }) => path === `/${name}`);
  const newest = async (endpointId: string) => {
    const { items } = await call<Items<Delivery>>('GET', `/webhooks/${endpointId}/deliveries`);
    if (items[0] === undefined) throw new Error('there is no delivery');
    return items[0];
  };
  const attempts = async (endpointId: string) => {
    const { deliveryId } = await newest(endpointId);
    const { items } = await call<Items<Attempt>>('GET', `/webhooks/deliveries/${deliveryId}/attempts`);
    return items.map(({ ordinal, status, failureReason }) => [ordinal, status, failureReason]);
  };
  const isDelivered = (endpointId: string) => async () =>
    expect(await newest(endpointId)).to.include({ status: 'delivered' });
  const withheld = async () => {
    const { metricsPort } = system.services('dispatcher').at(-1)!;
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    return Number(/^postrider_outage_guard_withheld (\d+)$/m.exec(text)?.[1]);
  };

  it('are recorded once, without waiting for their verdict, and sent again when their retry is due', async () => {
    system.receiver.answer(() => KEEPING);
    const known = await Promise.all(
      Array.from({ length: DOMAINS }, (_, index) => createEndpoint(`known${index}`)),
    );
    const [silent, late] = known as [string, string];
    const [closedPort = 0] = await chooseFreePorts([undefined]);
    const dead = await createEndpoint('dead', closedPort);
    for (const endpointId of known) await sendTest(endpointId);
    for (const endpointId of known) await eventually(isDelivered(endpointId));

    // A time-out on a reused connection does not show whether a server was reached.
    system.receiver.answer(() => 'silence');
    await Promise.all([sendTest(dead), sendTest(silent)]);
    await eventually(async () => expect(await withheld()).to.equal(2));
    await sendTest(late);
    await eventually(() => expect(posts('known1')).to.have.length(2));
    const stoppedAt = Date.now();
    await system.stopService('dispatcher');
    expect(Date.now() - stoppedAt).to.be.below(STOPS_WITHIN_MS);

    expect(await attempts(dead)).to.deep.equal([[1, 'failed', 'connection_refused']]);
    expect(await attempts(silent)).to.deep.equal([[1, 'failed', 'timeout']]);
    expect(await attempts(late)).to.deep.equal([[1, 'failed', 'timeout']]);
    const due = await Promise.all([newest(silent), newest(late)]);
    system.receiver.answer(() => ({ status: 200 }));
    await system.start('dispatcher');
    for (const endpointId of [silent, late]) {
      await eventually(isDelivered(endpointId), 30_000);
      expect(await attempts(endpointId)).to.deep.equal([
        [1, 'failed', 'timeout'],
        [2, 'delivered', null],
      ]);
    }
    for (const [index, { nextAttemptAt }] of due.entries()) {
      const [, , again, ...others] = posts(`known${index}`);
      expect(again?.at).to.be.at.least(Date.parse(nextAttemptAt));
      expect(others).to.deep.equal([]);
    }
  });
});
