import { eventually } from '@postrider/shared/testing/eventually';
import { storedAttempts } from '@postrider/shared/testing/stored-attempts';
import { expect } from 'chai';
import { type System, startSystem } from './system.js';

const DELIVERIES = 10;

describe('api, dispatcher and dlq-consumer in one process', () => {
  let system: System;
  before(async () => {
    system = await startSystem({ RETRY_STEP: '50ms' }, ['all']);
  });
  after(() => system?.stop());

  const running = () => system.services('all').at(-1)!;
  const call = <T>(method: string, path: string, body?: object) =>
    system.client.at(`http://127.0.0.1:${running().port}`).call<T>(method, path, body);
  const createEndpoint = async (path: string) => {
    const input = { url: `${system.receiver.url}/${path}`, eventTypes: ['billing.plan_changed'] };
    return (await call<{ id: string }>('POST', '/webhooks', input)).id;
  };
  const changePlan = async () => {
    const { plan } = await call<{ plan: string }>('GET', '/overview');
    await call('PUT', '/billing/plan', { plan: plan === 'team' ? 'business' : 'team' });
  };
  const statuses = async (endpointId: string) => {
    const rows = await system.world.database.collections.deliveries.find({ endpointId }).toArray();
    return rows.map(({ status }) => status);
  };

  it('serves callers, retries, and ends dead letters', async () => {
    system.receiver.answer(() => ({ status: 500 }));
    const endpointId = await createEndpoint('broken');
    await changePlan();
    await eventually(async () => expect(await statuses(endpointId)).to.deep.equal(['dead_lettered']), 30_000);
    const { items } = await call<{ items: { kind: string }[] }>('GET', '/notifications');
    expect(items.map(({ kind }) => kind)).to.include('endpoint_stopped_receiving');
    await call('DELETE', `/webhooks/${endpointId}`);
  });

  it('exports the health and the metrics of all services on one port', async () => {
    const get = (path: string) => fetch(`http://127.0.0.1:${running().metricsPort}${path}`);
    await eventually(async () => expect((await get('/readyz')).status).to.equal(200), 15_000);
    expect((await get('/healthz')).status).to.equal(200);
    const text = await (await get('/metrics')).text();
    for (const group of ['dispatcher', 'fan-out', 'dlq-consumer'])
      expect(text).to.contain(`postrider_consumer_heartbeat_age_seconds{group="${group}"}`);
    expect(text.match(/^postrider_build_info\{service="all".*\} 1$/gm)).to.have.length(1);
    const names = text.split('\n').filter((line) => line.startsWith('# TYPE '));
    expect(names).to.have.length(new Set(names).size);
    expect((await get('/other')).status).to.equal(404);
  });

  it('loses nothing and records no attempt twice when it is killed while it delivers', async () => {
    system.receiver.answer(() => ({ status: 200, delayMs: 200 }));
    const endpointId = await createEndpoint('killed');
    const before = system.receiver.received.length;
    for (let count = 0; count < DELIVERIES; count += 1) await changePlan();
    await eventually(() => expect(system.receiver.received.length).to.be.above(before));
    running().kill();
    await running().exited;
    await system.start('all');
    const all = Array.from({ length: DELIVERIES }, () => 'delivered');
    await eventually(async () => expect(await statuses(endpointId)).to.deep.equal(all), 45_000);
    const attempts = await storedAttempts(system.world.database.collections, { endpointId });
    expect(attempts.map(({ ordinal }) => ordinal)).to.deep.equal(all.map(() => 1));
  });

  it('stops on SIGTERM after the running attempts are recorded, and publishes its outbox', async () => {
    system.receiver.answer(() => ({ status: 200, delayMs: 1_000 }));
    const endpointId = await createEndpoint('stopped');
    const before = system.receiver.received.length;
    await changePlan();
    await eventually(() => expect(system.receiver.received.length).to.be.above(before));
    const process = running();
    await system.stopService('all');
    expect(await process.exited).to.deep.equal({ code: 0, signal: null });
    expect(await statuses(endpointId)).to.deep.equal(['delivered']);
    expect(await system.world.database.collections.outbox.countDocuments()).to.equal(0);
  });
});
