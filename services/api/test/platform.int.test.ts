import { projectPayload } from '@postrider/shared/catalogue/project-payload';
import { decodeQueueMessage } from '@postrider/shared/kafka/queue-message';
import { createSchemaCodec } from '@postrider/shared/kafka/schema-registry';
import { eventually } from '@postrider/shared/testing/eventually';
import { type TestWorld, testWorld } from '@postrider/shared/testing/test-world';
import { expect } from 'chai';
import type { Consumer, KafkaMessage } from 'kafkajs';
import { runAdmin } from '../src/admin/run-admin.js';
import { readConfig } from '../src/config.js';
import type { CreatedApiToken } from '../src/contract/api-token.js';
import type { Delivery } from '../src/contract/delivery.js';
import type { Webhook } from '../src/contract/webhook.js';
import { type Api, startApi } from '../src/service.js';
import { type ApiClient, createApiClient } from './api-client.js';
import { fetchJson } from './typed-client.js';

/** Uses real servers: admin commands create the first token, and a consumer reads the topics. */
describe('api with a real broker', () => {
  let world: TestWorld;
  let api: Api;
  let admin: ApiClient;
  let consumer: Consumer;
  const messages = new Map<string, KafkaMessage[]>();

  before(async () => {
    world = await testWorld();
    consumer = await consumeAll();
    await command(
      'workspace',
      'create',
      '--slug',
      'acme',
      '--name',
      'Acme',
      '--owner-email',
      'ada@acme.example',
    );
    const token = JSON.parse(
      await command(
        'token',
        'create',
        '--workspace',
        'acme',
        '--name',
        'first',
        '--scopes',
        'admin',
        '--json',
      ),
    ) as CreatedApiToken;
    api = await startApi(readConfig(world.env), world.log);
    const origin = `http://127.0.0.1:${api.port}`;
    admin = createApiClient({ origin, slug: 'acme', secret: token.token, tokenId: token.id });
  });
  after(async () => {
    await consumer?.disconnect();
    await api?.stop();
    await world?.destroy();
  });

  async function consumeAll(): Promise<Consumer> {
    const reading = world.kafka.consumer({ groupId: `${world.names.full('test')}` });
    await reading.connect();
    await reading.subscribe({
      topics: ['workspace.events', 'webhook.deliveries'].map(world.names.full),
      fromBeginning: true,
    });
    await reading.run({
      eachMessage: async ({ topic, message }) => {
        const name = world.names.bare(topic);
        messages.set(name, [...(messages.get(name) ?? []), message]);
      },
    });
    return reading;
  }

  async function command(...args: string[]): Promise<string> {
    const printed: string[] = [];
    const errors: string[] = [];
    const terminal = {
      print: (line: string) => void printed.push(line),
      printError: (line: string) => void errors.push(line),
    };
    expect(await runAdmin(args, world.env, terminal), errors.join('\n')).to.equal(0);
    return printed.join('\n');
  }

  const decode = ({ value }: KafkaMessage) =>
    createSchemaCodec(world.env.SCHEMA_REGISTRY_URL!, world.env.TOPIC_PREFIX!).decode(value);
  const header = (message: KafkaMessage, name: string) => message.headers?.[name]?.toString();
  const eventOf = (type: string) =>
    eventually(() => {
      const found = (messages.get('workspace.events') ?? []).filter((one) => header(one, 'ce_type') === type);
      expect(found).to.not.be.empty;
      return found.at(-1)!;
    });

  it('publishes the event of a token that an admin command created, by its outbox sweep', async () => {
    const message = await eventOf('api_token.created');
    expect(await decode(message)).to.include({ tokenId: admin.tokenId, name: 'first' });
    await eventually(async () =>
      expect(await world.database.collections.outbox.countDocuments()).to.equal(0),
    );
  });

  it('publishes an event with CloudEvents headers, in Confluent wire format, with the exact webhook payload', async () => {
    const traceId = 'd'.repeat(32);
    await admin.request('/billing/plan', {
      method: 'PUT',
      body: { plan: 'team' },
      headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
    });
    const message = await eventOf('billing.plan_changed');
    const value = await decode(message);
    expect(message.value!.readUInt8(0)).to.equal(0);
    expect(projectPayload('billing.plan_changed', value)).to.deep.equal({ payload: value });
    expect(value).to.include({ previousPlan: 'free', plan: 'team' });
    expect(header(message, 'ce_id')).to.equal((value as { eventId: string }).eventId);
    expect(header(message, 'ce_time')).to.equal((value as { occurredAt: string }).occurredAt);
    expect(header(message, 'ce_source')).to.equal('/workspaces/acme');
    expect(header(message, 'ce_specversion')).to.equal('1.0');
    expect(header(message, 'traceparent')).to.match(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
    expect(message.key!.toString()).to.equal((value as { workspaceId: string }).workspaceId);
  });

  it('enqueues a test event and a replay, and publishes neither as an event', async () => {
    const body = { url: 'https://hooks.example.com/x', eventTypes: ['billing.plan_changed'] };
    const endpoint = (await admin.request<Webhook>('/webhooks', { body })).body;
    const test = (await admin.request<Delivery>(`/webhooks/${endpoint.id}/test-event`, { method: 'POST' }))
      .body;
    const { deliveries } = world.database.collections;
    await deliveries.updateOne(
      { _id: test.deliveryId },
      { $set: { status: 'dead_lettered' }, $unset: { dueAt: 1 } },
    );
    const replayed = await admin.request<Delivery>(`/webhooks/deliveries/${test.deliveryId}/replay`, {
      method: 'POST',
    });
    await eventually(() => {
      const queued = (messages.get('webhook.deliveries') ?? []).map(({ key, value }) => ({
        key: key?.toString(),
        message: decodeQueueMessage(value),
      }));
      for (const delivery of [test, replayed.body]) {
        expect(
          queued.find(({ message }) => 'deliveryId' in message && message.deliveryId === delivery.deliveryId),
        ).to.deep.include({
          key: endpoint.id,
        });
      }
    });
    await eventOf('webhook_endpoint.created');
    const types = messages.get('workspace.events')!.map((message) => header(message, 'ce_type'));
    expect(types).to.not.include('webhook.test_event');
  });

  it('is ready, and reports an outdated schema when not ready', async () => {
    const ready = () => fetchJson<{ missing: string[] }>(`${admin.origin}/readyz`);
    expect(await ready()).to.deep.include({ status: 200 });
    const meta = world.database.db.collection<{ _id: string; version: number }>('meta');
    const current = (await meta.findOne({ _id: 'schema' }))!.version;
    await meta.updateOne({ _id: 'schema' }, { $set: { version: 0 } });
    const { status, body } = await ready();
    await meta.updateOne({ _id: 'schema' }, { $set: { version: current } });
    expect(status).to.equal(503);
    expect(body.missing[0]).to.include('admin migrate');
  });

  it('publishes pending records while it stops', async () => {
    const last = await startApi(readConfig(world.env), world.log);
    const other = createApiClient({ ...admin, origin: `http://127.0.0.1:${last.port}`, slug: 'acme' });
    await other.request('/billing/plan', { method: 'PUT', body: { plan: 'business' } });
    await last.stop();
    expect(await world.database.collections.outbox.countDocuments()).to.equal(0);
  });
});
