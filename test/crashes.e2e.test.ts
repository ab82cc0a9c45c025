import { abortingIdleTransactions } from '@postrider/shared/mongo/abort-idle-transactions';
import { eventually } from '@postrider/shared/testing/eventually';
import { storedAttempts } from '@postrider/shared/testing/stored-attempts';
import { expect } from 'chai';
import { type System, startSystem } from './system.js';

/** Kills a process right before a step, as kill -9 would, and checks for lost and duplicate records afterwards. */
describe('process killed at a failpoint', () => {
  let system: System;
  before(async () => {
    system = await startSystem({ RETRY_STEP: '200ms' });
  });
  after(async () => {
    if (system === undefined) return;
    // A process that was killed within a transaction leaves it open, and the database cannot be dropped before it is aborted.
    await abortingIdleTransactions(system.world.database.client, system.stop());
  });

  const createEndpoint = async (path: string) => {
    const input = { url: `${system.receiver.url}/${path}`, eventTypes: ['billing.plan_changed'] };
    return (await system.client.call<{ id: string }>('POST', '/webhooks', input)).id;
  };
  const changePlan = async () => {
    const { plan } = await system.client.call<{ plan: string }>('GET', '/overview');
    await system.client.call('PUT', '/billing/plan', { plan: plan === 'team' ? 'business' : 'team' });
  };
  const posts = (path: string) => system.receiver.received.filter((post) => post.path === `/${path}`);
  const rows = (endpointId: string) =>
    system.world.database.collections.deliveries.find({ endpointId }).toArray();
  const ordinals = async (endpointId: string) => {
    const found = await storedAttempts(system.world.database.collections, { endpointId });
    return found.map(({ ordinal }) => ordinal);
  };

  it('between commit and publish loses no event: the sweep of another process publishes it', async () => {
    const endpointId = await createEndpoint('swept');
    // Otherwise the process may sweep the event of the endpoint, and die of that.
    const { outbox } = system.world.database.collections;
    await eventually(async () => expect(await outbox.countDocuments({})).to.equal(0));
    const doomed = await system.start('api', { FAILPOINTS: 'outbox.publish' });
    const other = system.client.at(`http://127.0.0.1:${doomed.port}`);
    const { plan } = await system.client.call<{ plan: string }>('GET', '/overview');
    await other.call('PUT', '/billing/plan', { plan: plan === 'team' ? 'business' : 'team' });
    expect((await doomed.exited).signal).to.equal('SIGKILL');
    await eventually(
      async () => expect((await rows(endpointId)).map(({ status }) => status)).to.deep.equal(['delivered']),
      30_000,
    );
    expect(posts('swept')).to.have.length(1);
    await system.client.call('DELETE', `/webhooks/${endpointId}`);
  });

  it('between reading and updating a row loses nothing and records no attempt twice', async () => {
    system.receiver.answer((post) => ({
      status: post.path === '/updated' && posts('updated').length <= 2 ? 500 : 200,
    }));
    const endpointId = await createEndpoint('updated');
    await system.stopService('dispatcher');
    // The first process dies in the transaction of the failure, the second one before the update of the success.
    const failing = await system.start('dispatcher', { FAILPOINTS: 'attempt.write' });
    await changePlan();
    expect((await failing.exited).signal).to.equal('SIGKILL');
    const succeeding = await system.start('dispatcher', { FAILPOINTS: 'attempt.settle:3,attempt.record' });
    const other = await createEndpoint('healthy');
    await changePlan();
    expect((await succeeding.exited).signal).to.equal('SIGKILL');
    await system.start('dispatcher');
    for (const id of [endpointId, other])
      await eventually(
        async () =>
          expect(new Set((await rows(id)).map(({ status }) => status))).to.deep.equal(new Set(['delivered'])),
        45_000,
      );
    expect(await ordinals(other)).to.deep.equal([1]);
    for (const { _id } of await rows(endpointId)) {
      const found = await storedAttempts(system.world.database.collections, { deliveryId: _id });
      expect(found.map(({ ordinal }) => ordinal)).to.deep.equal(found.map((_, index) => index + 1));
    }
    for (const id of [endpointId, other]) await system.client.call('DELETE', `/webhooks/${id}`);
  });

  it('between storing rows, starting them and publishing their messages loses nothing and records no attempt twice', async () => {
    const endpointId = await createEndpoint('handed-over');
    await system.stopService('dispatcher');
    // The POST of the second process has no response yet when that process is stopped.
    system.receiver.answer(() => ({ status: 200, delayMs: 1_500 }));
    const areDelivered = (count: number) => async () =>
      expect((await rows(endpointId)).map(({ status }) => status)).to.deep.equal(
        Array(count).fill('delivered'),
      );
    // The first process dies before a POST, the second one before the message of a row that it has started. It publishes that
    // message while it stops; otherwise it may leave it out, because an endpoint without a response for a second is silent.
    for (const [index, FAILPOINTS] of ['fanout.hand_over', 'fanout.enqueue'].entries()) {
      const doomed = await system.start('dispatcher', { FAILPOINTS });
      await changePlan();
      if (FAILPOINTS === 'fanout.enqueue') {
        await eventually(async () => expect(posts('handed-over')).to.have.length(index + 1));
        doomed.signal('SIGTERM');
      }
      expect((await doomed.exited).signal).to.equal('SIGKILL');
      await system.start('dispatcher');
      await eventually(areDelivered(index + 1), 45_000);
      // Otherwise the next process would read the same event again, in one batch with the next one.
      await system.stopService('dispatcher');
    }
    await system.start('dispatcher');
    await system.start('dispatcher');
    expect(await ordinals(endpointId)).to.deep.equal([1, 1]);
    system.receiver.answer(() => ({ status: 200 }));
    await system.client.call('DELETE', `/webhooks/${endpointId}`);
  });

  for (const [step, between, sends] of [
    ['attempt.settle', 'the POST and its record', 2],
    ['delivery.enqueue', 'the record and the retry', 1],
  ] as const) {
    it(`between ${between} loses nothing and records no attempt twice`, async () => {
      const path = step.replaceAll(/\W/g, '-');
      system.receiver.answer((post) => ({
        status: post.path === `/${path}` && posts(path).length <= sends ? 500 : 200,
      }));
      const endpointId = await createEndpoint(path);
      await system.stopService('dispatcher');
      const doomed = await system.start('dispatcher', { FAILPOINTS: step });
      await changePlan();
      expect((await doomed.exited).signal).to.equal('SIGKILL');
      await system.start('dispatcher');
      await eventually(
        async () => expect((await rows(endpointId)).map(({ status }) => status)).to.deep.equal(['delivered']),
        45_000,
      );
      expect(await ordinals(endpointId)).to.deep.equal([1, 2]);
      await system.client.call('DELETE', `/webhooks/${endpointId}`);
    });
  }
});
