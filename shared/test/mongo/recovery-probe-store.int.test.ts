import { expect } from 'chai';
import type { EndpointId } from '../../src/domain/id.js';
import { DEFAULT_PROBE_STEP_MS, planRecoveryProbe } from '../../src/domain/recovery-probe.js';
import { createRecoveryProbeStore } from '../../src/mongo/recovery-probe-store.js';
import { aFailingEndpoint, idFor, later, NOON } from '../../src/testing/builders.js';
import { offers, type TestDatabase, testDatabase } from '../../src/testing/test-database.js';

const NOW = later(5 * 60_000);

describe('recovery probe store on MongoDB', () => {
  let database: TestDatabase;
  before(async () => {
    database = await testDatabase();
  });
  after(() => database.drop());

  it('stores each due probe once, whichever processes look for them at the same time', async () => {
    const { relay } = offers();
    const count = 60;
    const endpoints = Array.from({ length: count }, (_, n) =>
      aFailingEndpoint(20, {
        id: idFor('endpoint', `${n}`),
        enabled: false,
        disabledReason: 'consecutive_failures',
        enabledSince: NOON,
        disabledAt: NOON,
        recovery: 'probe',
        // Half of them were just disabled: their first probe is only planned.
        probeAt: n % 2 === 0 ? NOW : NOON,
      }),
    );
    const enabled = aFailingEndpoint(0, { id: idFor('endpoint', 'enabled'), probeAt: null });
    await database.store({ endpoints: [...endpoints, enabled] });
    const store = () =>
      createRecoveryProbeStore({ database, relay, clock: { now: () => NOW }, outboxClaimMs: 15_000 });
    const due = (without: readonly EndpointId[] = []) => store().due(NOW, 7, without);
    const handle = (ids: readonly EndpointId[]) =>
      store().handle(ids, NOW, (endpoint) => planRecoveryProbe(endpoint, NOW, DEFAULT_PROBE_STEP_MS));
    const [first, second] = await due();
    expect((await due([first!]))[0]).to.equal(second);
    const created: string[] = [];
    const process = async () => {
      for (let ids = await due(); ids.length > 0; ids = await due())
        created.push(...(await handle(ids)).map(({ id }) => id));
    };
    await Promise.all([process(), process(), process()]);
    const { deliveries, outbox } = database.collections;
    const rows = await deliveries.find().toArray();
    expect(rows).to.have.length(count / 2);
    expect(created).to.have.members(rows.map(({ _id }) => _id));
    expect(new Set(rows.map(({ endpointId }) => endpointId)).size).to.equal(count / 2);
    expect(await outbox.countDocuments()).to.equal(count / 2);
    expect(await database.collections.endpoints.countDocuments({ probeAt: later(15 * 60_000) })).to.equal(
      count,
    );
    await database.collections.endpoints.updateOne({ _id: endpoints[0]!.id }, { $set: { probeAt: NOW } });
    expect(await due()).to.deep.equal([endpoints[0]!.id]);
    expect(await handle([endpoints[0]!.id]), 'the probe that is stored already').to.deep.equal([]);
  });
});
