import { type AddressInfo, createServer } from 'node:net';
import { eventually } from '@postrider/shared/testing/eventually';
import type { Received } from '@postrider/shared/testing/receiver';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { type System, startSystem } from './system.js';

interface Endpoint {
  readonly id: string;
  readonly enabled: boolean;
  readonly disabledReason: string | null;
  readonly consecutiveFailures: number;
}
interface Delivery {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly status: string;
  readonly attempts: number;
  readonly replayedFrom?: string;
  readonly failureReason: string | null;
}
interface Attempt {
  readonly ordinal: number;
  readonly status: string;
  readonly httpStatus: number | null;
  readonly durationMs: number | null;
  readonly failureReason: string | null;
  readonly requestHeaders: Readonly<Record<string, string>> | null;
}
interface Items<T> {
  readonly items: T[];
}

const STEP_MS = 200;

describe('deliveries from event to receiver', () => {
  let system: System;
  before(async () => {
    system = await startSystem({ RETRY_STEP: `${STEP_MS}ms` });
  });
  after(() => system?.stop());

  const call = <T>(method: string, path: string, body?: object) => system.client.call<T>(method, path, body);
  const createEndpoint = (path: string) =>
    call<Endpoint>('POST', '/webhooks', {
      url: `${system.receiver.url}/${path}`,
      eventTypes: ['billing.plan_changed'],
    });
  const rotate = async (id: string) =>
    (await call<{ secret: string }>('POST', `/webhooks/${id}/rotate-secret`)).secret;
  const posts = (path: string) => system.receiver.received.filter((post) => post.path === `/${path}`);
  const deliveries = async (id: string) =>
    (await call<Items<Delivery>>('GET', `/webhooks/${id}/deliveries`)).items;
  const attempts = async (id: string) =>
    (await call<Items<Attempt>>('GET', `/webhooks/deliveries/${id}/attempts`)).items;
  const changePlan = async () => {
    const { plan } = await call<{ plan: string }>('GET', '/overview');
    await call('PUT', '/billing/plan', { plan: plan === 'team' ? 'business' : 'team' });
  };
  const notifications = async (kind: string, endpointId: string) => {
    const { items } = await call<Items<{ kind: string; endpointId: string }>>('GET', '/notifications');
    return items.filter((one) => one.kind === kind && one.endpointId === endpointId);
  };
  const audits = async (action: string, targetId: string) => {
    const { items } = await call<Items<{ action: string; target: { id: string } }>>(
      'GET',
      '/audit-events?limit=200',
    );
    return items.filter((one) => one.action === action && one.target.id === targetId);
  };
  const settled = (id: string, status: string, withinMs?: number) =>
    eventually(async () => {
      const [delivery] = await deliveries(id);
      expect(delivery?.status).to.equal(status);
      return delivery!;
    }, withinMs);
  const verify = (post: Received, secret: string) =>
    new Webhook(secret).verify(post.body, post.headers as Record<string, string>);
  const answerOn = (path: string, statuses: readonly number[]) => {
    system.receiver.answer((post) => {
      const nth = posts(path).length - 1;
      return { status: post.path === `/${path}` ? (statuses[nth] ?? statuses.at(-1) ?? 200) : 200 };
    });
  };
  const remove = (id: string) => call('DELETE', `/webhooks/${id}`);

  it('signs, sends and stores an event; for a day after a rotation either secret verifies', async () => {
    const { id } = await createEndpoint('first');
    const [older, newer] = [await rotate(id), await rotate(id)];
    await changePlan();
    const { deliveryId } = await settled(id, 'delivered');
    const [post] = posts('first');
    expect(post?.id).to.equal(deliveryId);
    expect(String(post?.headers['webhook-signature']).split(' ')).to.have.length(2);
    expect(verify(post!, newer)).to.deep.include({ deliveryId, eventType: 'billing.plan_changed' });
    expect(verify(post!, older)).to.deep.include({ deliveryId });
    const [attempt] = await attempts(deliveryId);
    expect(attempt).to.include({ ordinal: 1, status: 'delivered', httpStatus: 200 });
    await remove(id);
  });

  it('shows the request headers of an attempt as they were on the wire, without the values of own ones', async () => {
    const server = await rawServer();
    const { id } = await call<Endpoint>('POST', '/webhooks', {
      url: `${server.url}/raw?source=postrider`,
      eventTypes: ['billing.plan_changed'],
      headers: { 'X-Team': 's3cret' },
    });
    const { deliveryId } = await call<Delivery>('POST', `/webhooks/${id}/test-event`);
    const sent = await eventually(async () => {
      const [attempt] = await attempts(deliveryId);
      expect(attempt?.status).to.equal('delivered');
      return attempt!.requestHeaders;
    });
    const [head, body] = server.received().split('\r\n\r\n') as [string, string];
    const lines = head
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(': '));
    const headers = Object.fromEntries(lines.map(([name, ...value]) => [name, value.join(': ')]));
    expect(lines).to.have.length(Object.keys(headers).length);
    expect(headers).to.include({ 'x-team': 's3cret', 'content-length': String(Buffer.byteLength(body)) });
    expect(sent).to.deep.equal({ ...headers, 'x-team': '•••' });
    await remove(id);
    server.close();
  });

  it('makes seven POSTs at growing intervals, then dead-letters the delivery and notifies the workspace once', async () => {
    answerOn('broken', [500]);
    const { id } = await createEndpoint('broken');
    await changePlan();
    const { deliveryId, failureReason, attempts: made } = await settled(id, 'dead_lettered', 25_000);
    expect({ failureReason, made }).to.deep.equal({ failureReason: 'retries_exhausted', made: 7 });
    const times = posts('broken').map(({ at }) => at);
    expect(times).to.have.length(7);
    const gaps = times.slice(1).map((time, index) => time - times[index]!);
    for (const [index, gap] of gaps.entries())
      expect(gap, `gap ${index + 1}`).to.be.at.least((index + 1) * STEP_MS);
    const kept = await attempts(deliveryId);
    expect(kept.map(({ ordinal }) => ordinal)).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(kept[7]).to.include({
      status: 'dead_lettered',
      failureReason: 'retries_exhausted',
      durationMs: null,
      httpStatus: null,
    });
    expect(await notifications('endpoint_stopped_receiving', id)).to.have.length(1);
    await remove(id);
  });

  it('delivers on the fourth attempt and stores all four', async () => {
    answerOn('flaky', [500, 503, 429, 200]);
    const { id } = await createEndpoint('flaky');
    await changePlan();
    const { deliveryId } = await settled(id, 'delivered');
    expect((await attempts(deliveryId)).map(({ httpStatus }) => httpStatus)).to.deep.equal([
      500, 503, 429, 200,
    ]);
    expect((await call<Endpoint>('GET', `/webhooks/${id}`)).consecutiveFailures).to.equal(0);
    await remove(id);
  });

  it('does not retry a permanent failure', async () => {
    answerOn('refusing', [404]);
    const { id } = await createEndpoint('refusing');
    await changePlan();
    await settled(id, 'failed_permanent');
    expect(posts('refusing')).to.have.length(1);
    await remove(id);
  });

  it('disables an endpoint after 20 failures in a row, and delivers a replay once it is enabled again', async () => {
    answerOn('down', [404]);
    const { id } = await createEndpoint('down');
    for (let failures = 1; failures <= 20; failures += 1) await changePlan();
    await eventually(async () => {
      expect(await call<Endpoint>('GET', `/webhooks/${id}`)).to.include({
        enabled: false,
        disabledReason: 'consecutive_failures',
        consecutiveFailures: 20,
      });
    });
    expect(await audits('webhook_endpoint.disabled', id)).to.have.length(1);
    expect(await notifications('endpoint_disabled', id)).to.have.length(1);
    const [failed] = await deliveries(id);
    const replay = `/webhooks/deliveries/${failed!.deliveryId}/replay`;
    expect(await system.client.raw('POST', replay)).to.nested.include({
      status: 409,
      'body.tag': 'EndpointDisabled',
    });

    answerOn('down', [200]);
    await call('PATCH', `/webhooks/${id}`, { enabled: true });
    const replayed = await call<Delivery>('POST', replay);
    expect(replayed).to.include({ status: 'pending', attempts: 0, replayedFrom: failed!.deliveryId });
    const delivered = await settled(id, 'delivered');
    expect(delivered.deliveryId).to.equal(replayed.deliveryId).and.not.equal(failed!.deliveryId);
    expect(await audits('webhook.delivery_replayed', failed!.deliveryId)).to.have.length(1);
    await remove(id);
  });

  it('holds the deliveries of a disabled endpoint and sends each once when it is enabled with replayHeld', async () => {
    answerOn('held', [200]);
    const { id } = await createEndpoint('held');
    await call('PATCH', `/webhooks/${id}`, { enabled: false });
    for (let events = 1; events <= 5; events += 1) await changePlan();
    await eventually(async () =>
      expect(await call('GET', `/webhooks/${id}`)).to.include({ heldDeliveries: 5, missedDeliveries: 0 }),
    );
    const held = await deliveries(id);
    for (const one of held)
      expect(one).to.include({ status: 'failed_permanent', failureReason: 'endpoint_disabled', attempts: 0 });
    expect(await attempts(held[0]!.deliveryId)).to.have.length(1);
    expect(posts('held')).to.deep.equal([]);

    const enabled = await call<{ replayJobId: string }>('PATCH', `/webhooks/${id}`, {
      enabled: true,
      replayHeld: true,
    });
    await eventually(() => expect(posts('held')).to.have.length(5), 20_000);
    const rows = await deliveries(id);
    const sourceOf = new Map(rows.map(({ deliveryId, replayedFrom }) => [deliveryId, replayedFrom]));
    const sources = posts('held').map(({ headers }) => sourceOf.get(String(headers['webhook-id'])));
    expect(sources).to.have.members(held.map(({ deliveryId }) => deliveryId));
    expect(await call('GET', `/webhooks/replay-jobs/${enabled.replayJobId}`)).to.include({ replayed: 5 });
    await remove(id);
  });
});

/** Answers the first request of every connection with 204, and keeps the bytes as text. */
async function rawServer() {
  let text = '';
  const server = createServer((socket) => {
    socket.on('data', (bytes) => {
      text += bytes;
      if (text.endsWith('}')) socket.end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n');
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received: () => text,
    close: () => server.close(),
  };
}
