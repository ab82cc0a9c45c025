import { connectMongo, type Database } from '@postrider/shared/mongo/connect';
import { migrateMongo } from '@postrider/shared/mongo/migrate';
import { expect } from 'chai';
import type { Webhook } from '../../src/contract/webhook.js';
import type { ApiClient } from '../api-client.js';
import { type ApiWorld, apiWorld, newId } from '../api-world.js';
import { CREATE } from '../operations/endpoints-of.js';
import { runCommand } from './run-command.js';

const HOUR_MS = 3_600_000;

describe('admin endpoints enable', () => {
  let world: ApiWorld;
  let admin: ApiClient;
  let env: Record<string, string>;
  before(async () => {
    world = await apiWorld();
    admin = await world.as(['admin']);
    const uri = new URL(process.env.MONGODB_URI ?? 'mongodb://not-set-run-npm-test');
    uri.pathname = `/${world.database.db.databaseName}`;
    env = { MONGODB_URI: uri.href, START_TIMEOUT: '1s' };
    const database: Database = await connectMongo(uri.href, 'test');
    await migrateMongo(database);
    await database.close();
  });
  after(() => world?.destroy());

  const create = async () => (await admin.request<Webhook>('/webhooks', { body: CREATE })).body.id;
  /** Disables an endpoint as the twentieth failure does. */
  const disable = async (id: string, agoMs: number, reason = 'consecutive_failures') => {
    const { endpoints, auditEvents } = world.database.collections;
    await endpoints.updateOne(
      { _id: id },
      {
        $set: {
          enabled: false,
          disabledReason: reason as never,
          disabledAt: new Date(),
          consecutiveFailures: 20,
          streakVersion: 20,
        },
      },
    );
    await auditEvents.insertOne({
      _id: newId('audit', new Date(Date.now() - agoMs)),
      workspaceId: world.workspace.id,
      action: 'webhook_endpoint.disabled',
      actor: { type: 'system', id: null },
      target: { type: 'endpoint', id },
      metadata: { reason },
      createdAt: new Date(Date.now() - agoMs),
      streak: null,
    } as never);
  };
  const enable = (...more: string[]) =>
    runCommand(
      ['endpoints', 'enable', '--disabled-since', '2h', '--reason', 'consecutive_failures', ...more],
      env,
    );
  const idsOf = (out: string) =>
    JSON.parse(out).endpoints.map((one: { endpointId: string }) => one.endpointId);
  const stored = (id: string) => world.database.collections.endpoints.findOne({ _id: id });

  it('enables what failures disabled within the time, once, with an audit entry, and nothing else', async () => {
    const [recent, older, byOperator, deleted] = [
      await create(),
      await create(),
      await create(),
      await create(),
    ];
    await disable(recent, HOUR_MS);
    await disable(recent, HOUR_MS / 2);
    await disable(older, 3 * HOUR_MS);
    await disable(byOperator, HOUR_MS, 'operator');
    await disable(deleted, HOUR_MS);
    await admin.request(`/webhooks/${deleted}`, { method: 'DELETE' });

    const before = (await stored(recent))!;
    const dry = await enable('--dry-run', '--json');
    expect([dry.code, idsOf(dry.out)]).to.deep.equal([0, [recent]]);
    expect((await stored(recent))!.enabled).to.equal(false);

    const { code, out } = await enable('--json');
    expect([code, idsOf(out)]).to.deep.equal([0, [recent]]);
    expect(await stored(recent)).to.include({ enabled: true, disabledReason: null, consecutiveFailures: 0 });
    for (const id of [older, byOperator, deleted]) expect((await stored(id))!.enabled, id).to.equal(false);
    const period = (await stored(recent))!.lastPeriod!;
    expect(period, 'events of the disabled period are still held for a replay').to.deep.equal({
      since: before.disabledAt,
      enabledSince: before.enabledSince,
    });
    const entries = await world.audits(recent);
    expect(entries.at(-1)).to.deep.include({
      action: 'webhook_endpoint.enabled',
      streak: { version: 21, before: 20, after: 0 },
    });
    expect(idsOf((await enable('--json')).out)).to.deep.equal([]);
  });

  it('names what is missing or unknown', async () => {
    const without = await runCommand(['endpoints', 'enable', '--disabled-since', '2h'], env);
    expect([without.code, without.err]).to.satisfy(
      ([code, err]: [number, string]) => code !== 0 && err.includes('--reason'),
    );
    const unknown = await enable('--workspace', 'missing');
    expect(unknown.err).to.include('there is no workspace "missing"');
    const wrong = await runCommand(
      ['endpoints', 'enable', '--disabled-since', 'yesterday', '--reason', 'operator'],
      env,
    );
    expect(wrong.code).to.not.equal(0);
  });
});
