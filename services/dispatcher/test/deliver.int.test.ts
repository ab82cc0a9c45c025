import { eventually } from '@postrider/shared/testing/eventually';
import { profiled } from '@postrider/shared/testing/profiled';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { type DispatcherWorld, dispatcherWorld } from './dispatcher-world.js';

const STEP_MS = 100;

describe('dispatcher', () => {
  let here: DispatcherWorld;
  before(async () => {
    here = await dispatcherWorld();
  });
  after(() => here?.stop());

  const answerAt = (path: string, status: number) =>
    here.receiver.answer((post) => ({ status: post.path === `/${path}` ? status : 200 }));

  it('needs three commands for an event to one endpoint: its subscribers, the row and the attempt', async () => {
    const endpointId = await here.endpoint('alone');
    const { db } = here.world.database;
    await eventually(async () => {
      const before = here.posts('alone').length;
      // By heartbeats the process learns that it certainly owns the endpoint's partition.
      const operations = await profiled(db, async () => {
        await here.changePlan();
        await eventually(() => expect(here.posts('alone').length).to.be.above(before));
        const open = { endpointId, dueAt: { $exists: true } };
        await eventually(async () =>
          expect(await here.world.database.collections.deliveries.findOne(open)).to.equal(null),
        );
      });
      const ofDispatcher = operations.filter(({ command }) => !('dueAt' in (command.filter ?? {})));
      const names = ofDispatcher.map(({ op, ns }) => `${op} ${ns.slice(db.databaseName.length + 1)}`);
      expect(names.filter((name) => / (endpoints|deliveries)$/.test(name))).to.deep.equal([
        'query endpoints',
        'insert deliveries',
        'update deliveries',
      ]);
    }, 20_000);
    await here.disable(endpointId);
  });

  it('delivers an event with a signed POST and stores a delivered row', async () => {
    const endpointId = await here.endpoint('first');
    const event = await here.changePlan();
    const [post] = await eventually(() => {
      expect(here.posts('first')).to.have.length(1);
      return here.posts('first');
    });
    const body = new Webhook(here.secret).verify(post!.body, post!.headers as Record<string, string>);
    expect(Object.keys(body as object)).to.deep.equal(['deliveryId', 'eventType', 'payload']);
    expect((body as { payload: unknown }).payload).to.deep.equal(event.payload);
    await eventually(async () =>
      expect(await here.row(endpointId)).to.include({ status: 'delivered', attempts: 1 }),
    );
    const [attempt] = await here.attempts(endpointId);
    expect(attempt).to.include({ ordinal: 1, status: 'delivered', httpStatus: 200 });
    await here.disable(endpointId);
  });

  it('retries with growing delays, never early, and dead-letters after the sixth retry', async () => {
    answerAt('broken', 500);
    const endpointId = await here.endpoint('broken');
    await here.changePlan();
    await eventually(() => expect(here.posts('broken')).to.have.length(7), 20_000);
    const times = here.posts('broken').map((post) => post.at);
    const gaps = times.slice(1).map((time, index) => time - times[index]!);
    for (const [index, gap] of gaps.entries())
      expect(gap, `gap ${index + 1}`).to.be.at.least((index + 1) * STEP_MS);
    const stored = await eventually(async () => {
      const found = await here.row(endpointId);
      expect(found).to.include({ status: 'failed', attempts: 7, nextAttemptAt: null });
      return found;
    });
    expect(stored?.failingSince).to.be.instanceOf(Date);
    expect(await here.attempts(endpointId)).to.have.length(7);
    await here.disable(endpointId);
  });

  it('sends a permanently rejected delivery once', async () => {
    answerAt('gone', 404);
    const endpointId = await here.endpoint('gone');
    await here.changePlan();
    await eventually(async () =>
      expect(await here.row(endpointId)).to.include({ status: 'failed_permanent', attempts: 1 }),
    );
    expect(here.posts('gone')).to.have.length(1);
    await here.disable(endpointId);
  });

  it('ends a due delivery of a disabled endpoint with a record and without a POST', async () => {
    answerAt('closing', 500);
    const endpointId = await here.endpoint('closing');
    await here.changePlan();
    await eventually(async () => expect(await here.row(endpointId)).to.include({ status: 'failed' }));
    await here.disable(endpointId);
    await eventually(async () =>
      expect(await here.row(endpointId)).to.include({
        status: 'failed_permanent',
        failureReason: 'endpoint_disabled',
      }),
    );
    const kept = await here.attempts(endpointId);
    const sent = here.posts('closing').length;
    expect(kept.map(({ ordinal }) => ordinal)).to.deep.equal(
      Array.from({ length: sent + 1 }, (_, n) => n + 1),
    );
    expect(kept.at(-1)).to.include({
      status: 'failed_permanent',
      failureReason: 'endpoint_disabled',
      durationMs: null,
    });
  });

  it('recovers a row whose message was lost', async () => {
    const endpointId = await here.endpoint('healed');
    const other = await here.endpoint('donor');
    await here.changePlan();
    await eventually(async () => expect(await here.row(other)).to.include({ status: 'delivered' }));
    const { deliveries } = here.world.database.collections;
    const donor = await here.row(other);
    const lost = {
      ...donor!,
      _id: donor!._id.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      endpointId,
      status: 'pending' as const,
      attempts: 0,
    };
    const overdue = new Date(Date.now() - 120_000);
    await deliveries.deleteMany({ endpointId });
    await deliveries.insertOne({ ...lost, lastAttempt: null, dueAt: overdue });
    await eventually(
      async () => expect(await here.row(endpointId)).to.include({ status: 'delivered' }),
      45_000,
    );
    await here.disable(endpointId);
    await here.disable(other);
  });
});
