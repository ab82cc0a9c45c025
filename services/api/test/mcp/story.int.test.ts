import { PERMISSIONS, permissionsOf, type Scope } from '@postrider/shared/domain/permission';
import { toAttemptDocument } from '@postrider/shared/mongo/documents';
import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import type { StartedConformanceCheck } from '../../src/contract/conformance-check.js';

import type { Delivery, DeliveryAttempt } from '../../src/contract/delivery.js';
import type { Page } from '../../src/contract/page.js';
import type { ReplayJob } from '../../src/contract/replay-job.js';
import type { RotatedSecret, Webhook } from '../../src/contract/webhook.js';
import { boundOperations } from '../../src/document/bound-operations.js';
import { readDocument } from '../../src/document/read-document.js';
import { toolsOf } from '../../src/mcp/tools.js';
import type { Deps } from '../../src/operations/deps.js';
import { createInputRules } from '../../src/operations/input-rules.js';
import { createOperations } from '../../src/operations/operations.js';
import type { ApiClient } from '../api-client.js';
import { type ApiWorld, apiWorld, newId } from '../api-world.js';
import { refusedAttempt } from '../attempt-row.js';
import { type Assistant, assistant } from './mcp-client.js';

const known = createOperations(
  { clock: { now: () => new Date() } } as unknown as Deps,
  async () => new Map(),
);
const document = readDocument();
const sets = { all: known, limitedTo: () => known, rules: createInputRules({} as Deps) };
const tools = [...toolsOf(document, boundOperations(document, sets)).values()];
const HOOK = { url: 'https://hooks.example.com/mcp', eventTypes: ['billing.plan_changed'] };

describe('MCP assistant', () => {
  let world: ApiWorld;
  let admin: Assistant;
  const opened: Assistant[] = [];
  before(async () => {
    world = await apiWorld();
    admin = await as(['admin']);
  });
  after(async () => {
    await Promise.all(opened.map((one) => one.close()));
    await world?.destroy();
  });

  const byDoor = async ({ origin, secret }: ApiClient) => {
    const one = await assistant(origin, secret);
    opened.push(one);
    return one;
  };
  const as = async (...asked: Parameters<ApiWorld['as']>) => byDoor(await world.as(...asked));
  const audits = (id: string) => world.database.collections.auditEvents.find({ 'target.id': id }).toArray();

  for (const scope of ['read', 'write', 'admin', ...PERMISSIONS] as Scope[]) {
    it(`with the scope ${scope} lists exactly the permitted tools`, async () => {
      const { client } = await as([scope]);
      const held = permissionsOf([scope]);
      const expected = tools.filter(({ permission }) => held.has(permission)).map(({ name }) => name);
      const listed = await client.listTools();
      expect(listed.tools.map(({ name }) => name)).to.deep.equal(expected);
    });
  }

  it('cannot call a tool that is not permitted, and the attempt writes nothing', async () => {
    const reader = await as(['read']);
    const hidden = tools.filter(({ permission }) => !permissionsOf(['read']).has(permission));
    const before = await world.database.collections.auditEvents.countDocuments();
    for (const { name, permission } of hidden) {
      const problem = await reader.refused(name, {});
      expect([problem.tag, problem.detail], name).to.deep.equal([
        'Forbidden',
        `This needs the permission ${permission}, which the token does not grant.`,
      ]);
    }
    expect(await world.database.collections.auditEvents.countDocuments()).to.equal(before);
  });

  it('creates an endpoint, rotates its secret, tests it, reads the delivery and replays it', async () => {
    const { result: endpoint } = await admin.use<Webhook>('create_webhook', HOOK);
    const endpointId = endpoint.id;
    const { result: rotated } = await admin.use<RotatedSecret>('rotate_webhook_secret', { endpointId });
    expect(rotated.secret).to.match(/^whsec_/);
    const { result: test } = await admin.use<Delivery>('send_webhook_test_event', { endpointId });
    const { result: page } = await admin.use<Page<Delivery>>('list_webhook_deliveries', { endpointId });
    expect(page.items.map(({ deliveryId }) => deliveryId)).to.deep.equal([test.deliveryId]);

    const { deliveryId } = test;
    const early = await admin.refused('replay_webhook_delivery', { deliveryId });
    expect([early.tag, early.status]).to.deep.equal(['DeliveryNotReplayable', 409]);
    await failForGood(deliveryId, endpointId);
    const { result: attempts } = await admin.use<Page<DeliveryAttempt>>('list_webhook_delivery_attempts', {
      deliveryId,
    });
    expect(attempts.items.map(({ httpStatus }) => httpStatus)).to.deep.equal([404]);
    const { result: replay } = await admin.use<Delivery>('replay_webhook_delivery', { deliveryId });
    expect(replay).to.include({ status: 'pending', replayedFrom: deliveryId });
    expect(world.offered.map(({ id }) => id)).to.include.members([deliveryId, replay.deliveryId]);

    expect((await audits(endpointId)).map(({ action }) => action)).to.deep.equal([
      'webhook_endpoint.created',
      'webhook_endpoint.secret_rotated',
      'webhook.test_event_sent',
    ]);
    const [entry] = await audits(deliveryId);
    expect(entry).to.deep.include({ action: 'webhook.delivery_replayed' });
    expect(entry!.actor.type).to.equal('api_token');
  });

  async function failForGood(deliveryId: string, endpointId: string): Promise<void> {
    const { deliveries, attempts } = world.database.collections;
    await deliveries.updateOne(
      { _id: deliveryId },
      { $set: { status: 'failed_permanent' }, $unset: { dueAt: true } },
    );
    const owner = { deliveryId, endpointId, workspaceId: world.workspace.id };
    await attempts.insertOne(toAttemptDocument(refusedAttempt(owner)));
  }

  it('reads the same data with every tool as with the REST API', async () => {
    const client = await world.as(['admin']);
    const { result: endpoint } = await admin.use<Webhook>('create_webhook', HOOK);
    const { result: test } = await admin.use<Delivery>('send_webhook_test_event', {
      endpointId: endpoint.id,
    });
    const createdAfter = '2026-01-01T00:00:00Z';
    const { result: job } = await admin.use<ReplayJob>('create_replay_job', { createdAfter, dryRun: true });
    await eventually(async () => {
      const { result } = await admin.use<ReplayJob>('get_replay_job', { jobId: job.jobId });
      expect(result.status).to.equal('succeeded');
    });
    const { jobId } = job;
    const check = await admin.use<StartedConformanceCheck>('check_webhook_conformance', {
      endpointId: endpoint.id,
    });
    const name = 'billing.plan_changed';
    const ids: Record<string, string> = {
      endpointId: endpoint.id,
      deliveryId: test.deliveryId,
      jobId,
      name,
      checkId: check.result.checkId,
      eventId: newId('event'),
    };
    const document = readDocument();
    for (const [path, item] of Object.entries(document.paths)) {
      const tool = tools.find(({ operationId }) => operationId === item.get?.operationId);
      if (tool === undefined) continue;
      const filled = path
        .replace('/workspaces/{slug}', '')
        .replace(/\{(\w+)\}/g, (_, name: string) => ids[name]!);
      const input = Object.fromEntries(
        [...path.matchAll(/\{(?!slug)(\w+)\}/g)].map(([, name]) => [name, ids[name!]]),
      );
      const [byRoute, byTool] = [
        await client.request<object>(filled),
        await admin.use<object>(tool.name, input),
      ];
      expect(comparable(byTool.result), tool.name).to.deep.equal(comparable(byRoute.body));
    }
  });

  /** The time of a count, its span and a token's last use change between calls. */
  function comparable(answer: object): unknown {
    const text = JSON.stringify(answer, (key, value) =>
      ['asOf', 'lastUsedAt', 'from', 'to'].includes(key) ? null : value,
    );
    return JSON.parse(text);
  }

  it('reads lists page by page', async () => {
    for (let count = 0; count < 3; count += 1) await admin.use('create_webhook', HOOK);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const input: Record<string, unknown> = { limit: 2, ...(cursor !== null && { cursor }) };
      const { result }: { result: Page<Webhook> } = await admin.use<Page<Webhook>>('list_webhooks', input);
      expect(result.items).to.have.length.within(1, 2);
      seen.push(...result.items.map(({ id }) => id));
      cursor = result.nextCursor;
    } while (cursor !== null);
    expect(seen).to.have.length(await world.database.collections.endpoints.countDocuments());
    expect(new Set(seen).size).to.equal(seen.length);
    const { result } = await admin.use<Page<Webhook>>('list_webhooks', { cursor: 'nonsense' });
    expect(result).to.deep.equal({ items: [], nextCursor: null });
  });

  it('creates once for one idempotency key, whatever the order of the arguments', async () => {
    const idempotencyKey = `story-${newId('event')}`;
    const { result: first } = await admin.use<Webhook>('create_webhook', { ...HOOK, idempotencyKey });
    const { eventTypes, url } = HOOK;
    const repeated = { idempotencyKey, eventTypes, url };
    const { result: second } = await admin.use<Webhook>('create_webhook', repeated);
    expect(second.id).to.equal(first.id);
    expect(await audits(first.id)).to.have.length(1);
    const other = { ...HOOK, url: 'https://hooks.example.com/other', idempotencyKey };
    expect((await admin.refused('create_webhook', other)).tag).to.equal('IdempotencyKeyReused');
    for (const key of ['', 'a b', 7]) {
      const { tag, errors } = await admin.refused('create_webhook', { ...HOOK, idempotencyKey: key });
      expect([tag, errors?.[0]?.path], String(key)).to.deep.equal(['InvalidRequest', 'idempotencyKey']);
    }
    const { errors } = await admin.refused('list_webhooks', { idempotencyKey });
    expect(errors?.[0]?.path).to.equal('idempotencyKey');
  });

  it('marks what others wrote as untrusted', async () => {
    const { result: endpoint } = await admin.use<Webhook>('create_webhook', HOOK);
    for (const [name, given] of [
      ['list_webhook_deliveries', { endpointId: endpoint.id }],
      ['get_webhook', { endpointId: endpoint.id }],
      ['list_audit_events', {}],
    ] as const) {
      const { content } = await admin.client.callTool({ name, arguments: given });
      expect((content as { text: string }[]).at(-1)?.text, name).to.match(/untrusted/);
    }
    const own = await admin.client.callTool({ name: 'get_delivery_stats', arguments: {} });
    expect(own.content).to.have.length(1);
    for (const kind of ['Payloads', 'URLs', 'descriptions', 'metadata', 'user agents'])
      expect(admin.client.getInstructions()).to.include(kind);
  });

  it('reads the guide, the event types and the schemas of results', async () => {
    const { client } = admin;
    const { resources } = await client.listResources();
    for (const { uri, mimeType } of resources) {
      const { contents } = await client.readResource({ uri });
      const [content] = contents as unknown as [{ mimeType: string; text: string }];
      expect(content.mimeType, uri).to.equal(mimeType);
      expect(content.text.length, uri).to.be.above(500);
    }
    const read = async (uri: string) => {
      const { contents } = await client.readResource({ uri });
      return (contents as unknown as [{ text: string }])[0].text;
    };
    const names = JSON.parse(await read('postrider://event-types')).map(({ name }: { name: string }) => name);
    expect(names).to.include('billing.plan_changed');
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates[0]?.uriTemplate).to.equal('postrider://schemas/{name}');
    expect(JSON.parse(await read('postrider://schemas/Delivery')).properties).to.have.any.keys('deliveryId');
    const { contents } = await client.readResource({ uri: 'postrider://schemas/Delivery' });
    expect(contents[0]?.mimeType).to.equal(resourceTemplates[0]?.mimeType);
    for (const uri of ['postrider://schemas/toString', 'postrider://guide/../operating', 'file:///etc/hosts'])
      expect(String(await client.readResource({ uri }).catch((error: unknown) => error))).to.include(
        '-32002',
      );
  });

  it('reads no event types without the permission', async () => {
    const { client } = await as(['member:list']);
    const { resources } = await client.listResources();
    expect(resources.map(({ name }) => name)).to.not.include('event-types');
    const refused = await client.readResource({ uri: 'postrider://event-types' }).catch(String);
    expect(refused)
      .to.include('Forbidden: This needs')
      .and.not.match(/Forbidden.*Forbidden/);
  });

  it('offers the questions of support as prompts', async () => {
    const { client } = admin;
    const { prompts } = await client.listPrompts();
    expect(prompts).to.have.length(5);
    for (const { name, arguments: needed = [] } of prompts) {
      const given = Object.fromEntries(needed.map((one) => [one.name, `given-${one.name}`]));
      const { messages } = await client.getPrompt({ name, arguments: given });
      const { text } = messages[0]!.content as { text: string };
      for (const one of needed) expect(text, name).to.include(`given-${one.name}`);
      if (/\b(list_deliveries|explain_event)\b/.test(text)) expect(text, name).to.include('page by page');
      for (const [tool] of text.matchAll(/\b[a-z]+(_[a-z]+){2,}\b/g))
        if (tool !== 'failed_permanent') expect(tools.map((one) => one.name)).to.include(tool);
      const failed = client.getPrompt({ name, arguments: {} }).catch(String);
      expect(await failed, name).to.include(needed[0]!.name);
    }
    expect(await client.getPrompt({ name: 'nonsense' }).catch(String)).to.include('prompts/list');
  });

  it('changes, disables and deletes an endpoint, with the same refusals as the REST API', async () => {
    const { result: endpoint } = await admin.use<Webhook>('create_webhook', HOOK);
    const endpointId = endpoint.id;
    await admin.use('update_webhook', { endpointId, enabled: false });
    expect((await admin.refused('send_webhook_test_event', { endpointId })).tag).to.equal('EndpointDisabled');
    expect((await admin.refused('update_webhook', { endpointId, url: 'https://10.0.0.1/' })).tag).to.equal(
      'InvalidWebhookUrl',
    );
    const { text, result } = await admin.use('delete_webhook', { endpointId });
    expect([text, result]).to.deep.equal(['Deleted.', undefined]);
    expect((await admin.refused('get_webhook', { endpointId })).tag).to.equal('EndpointNotFound');
    expect((await audits(endpointId)).map(({ action }) => action)).to.deep.equal([
      'webhook_endpoint.created',
      'webhook_endpoint.disabled',
      'webhook_endpoint.deleted',
    ]);
  });

  it('cannot read resources of another workspace', async () => {
    const { result: endpoint } = await admin.use<Webhook>('create_webhook', HOOK);
    const { result: test } = await admin.use<Delivery>('send_webhook_test_event', {
      endpointId: endpoint.id,
    });
    const { result: check } = await admin.use<StartedConformanceCheck>('check_webhook_conformance', {
      endpointId: endpoint.id,
    });
    const stranger = await as(['admin'], { workspace: await world.addWorkspace('mcp-stranger') });
    const ids: Record<string, string> = {
      endpointId: endpoint.id,
      deliveryId: test.deliveryId,
      checkId: check.checkId,
    };
    const tagOf = (given: object) => {
      if ('deliveryId' in given) return 'DeliveryNotFound';
      return 'checkId' in given ? 'ConformanceCheckNotFound' : 'EndpointNotFound';
    };
    for (const { name, input } of tools) {
      const needed = input.schema.required.filter((field) => field in ids);
      if (needed.length === 0) continue;
      const given = Object.fromEntries(needed.map((field) => [field, ids[field]]));
      const { tag } = await stranger.refused(name, given);
      expect(tag, name).to.equal(tagOf(given));
    }
    const { result } = await stranger.use<Page<Webhook>>('list_webhooks');
    expect(result.items).to.be.empty;
    expect((await admin.use<Webhook>('get_webhook', { endpointId: endpoint.id })).result.enabled).to.equal(
      true,
    );
  });

  it('is refused without a token', async () => {
    const origin = `http://127.0.0.1:${world.api.port}`;
    const failure = await assistant(origin, 'prt_unknown').catch((error: unknown) => error);
    expect(String(failure)).to.include('Unauthorized');
  });
});
