import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import { type DispatcherWorld, dispatcherWorld } from './dispatcher-world.js';

/** One more failure disables the endpoint. */
const NEARLY = { consecutiveFailures: 19, streakVersion: 19, recovery: 'probe' } as const;

describe('recovery probes of disabled endpoints', () => {
  let here: DispatcherWorld;
  before(async () => {
    here = await dispatcherWorld({ PROBE_STEP: '100ms' });
  });
  after(() => here?.stop());

  const stored = (_id: string) => here.world.database.collections.endpoints.findOne({ _id });
  const probesOf = (endpointId: string) =>
    here.world.database.collections.deliveries
      .find({ endpointId, eventType: 'webhook.test_event' })
      .sort({ _id: 1 })
      .toArray();
  /** Answers 410 to events and to the first test events, then 200. */
  const failUntilProbe = (path: string, probes: number) => {
    let seen = 0;
    here.receiver.answer((post) => {
      if (post.path !== `/${path}`) return { status: 200 };
      if (post.body.includes('webhook.test_event')) seen += 1;
      return { status: seen > probes ? 200 : 410 };
    });
  };

  it('enable it at the first 2xx, record that, and start the replay of what was held', async () => {
    failUntilProbe('recovering', 2);
    const hourAgo = new Date(Date.now() - 3_600_000);
    const lastPeriod = { since: hourAgo, enabledSince: hourAgo };
    const endpointId = await here.endpoint('recovering', { ...NEARLY, lastPeriod });
    const enabledAt = (await stored(endpointId))!.enabledSince;
    await here.changePlan();
    await eventually(async () =>
      expect(await stored(endpointId)).to.include({ enabled: true, consecutiveFailures: 0, probeAt: null }),
    );
    const statuses = (await probesOf(endpointId)).map(({ status, attempts }) => [status, attempts]);
    expect(statuses).to.deep.equal([
      ['failed_permanent', 1],
      ['failed_permanent', 1],
      ['delivered', 1],
    ]);
    const { auditEvents, notifications, replayJobs } = here.world.database.collections;
    const audits = await auditEvents.find({ 'target.id': endpointId }).sort({ _id: 1 }).toArray();
    expect(audits.map(({ action, actor }) => [action, actor.type])).to.deep.equal([
      ['webhook_endpoint.disabled', 'system'],
      ['webhook_endpoint.enabled', 'system'],
    ]);
    const job = await replayJobs.findOne({ 'filter.endpointId': endpointId });
    const disabledAt = audits[0]!.createdAt;
    expect(job?.held?.since).to.deep.equal(disabledAt);
    const [notification] = await notifications.find({ endpointId, kind: 'endpoint_recovered' }).toArray();
    expect(notification?.data).to.include({ replayJobId: job?._id });
    expect(await stored(endpointId)).to.deep.include({
      lastPeriod: { since: disabledAt, enabledSince: enabledAt },
      earlierPeriods: [{ ...lastPeriod, enabledAt }],
    });
  });

  it('end when the endpoint is deleted, and are never sent to one that an operator disabled', async () => {
    failUntilProbe('deleted', 1_000);
    const [deleted, byOperator] = [
      await here.endpoint('deleted', NEARLY),
      await here.endpoint('off', NEARLY),
    ];
    const { endpoints } = here.world.database.collections;
    await here.disable(byOperator);
    await endpoints.updateOne({ _id: byOperator }, { $set: { disabledAt: new Date(), probeAt: new Date() } });
    await here.changePlan();
    await eventually(async () => expect((await probesOf(deleted)).length).to.be.at.least(1));
    await endpoints.updateOne({ _id: deleted }, { $set: { deletedAt: new Date(), secrets: null } as never });
    await eventually(async () => expect(await stored(deleted)).to.include({ probeAt: null }));
    expect(await stored(byOperator)).to.include({ enabled: false, probeAt: null });
    expect(await probesOf(byOperator)).to.deep.equal([]);
  });

  it('are sent to others although the database rejects that of an endpoint', async () => {
    const { database } = here.world;
    const [bad, good] = [await here.endpoint('rejected', NEARLY), await here.endpoint('accepted', NEARLY)];
    const validate = (validator: object) => database.db.command({ collMod: 'deliveries', validator });
    await validate({ $nor: [{ endpointId: bad, eventType: 'webhook.test_event' }] });
    here.receiver.answer(() => ({ status: 410 }));
    await here.changePlan();
    await eventually(async () => expect(await probesOf(good)).to.not.be.empty);
    expect(await probesOf(bad)).to.be.empty;
    await validate({});
    await eventually(async () => expect(await probesOf(bad)).to.not.be.empty);
  });
});
