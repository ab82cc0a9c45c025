import {
  DELIVERY_TOPICS,
  EVENTS_TOPIC,
  NOTIFICATIONS_TOPIC,
  QUARANTINE_TOPIC,
} from '@postrider/shared/ports/topics';
import { eventually } from '@postrider/shared/testing/eventually';
import { type TopicReader, topicReader } from '@postrider/shared/testing/topic-reader';
import { expect } from 'chai';
import type { ServiceName } from '#dev/processes/start-service';
import { type Collector, collector } from './collector.js';
import { type ServiceProcess, type System, startSystem } from './system.js';

const HOOK_PATH = "the path of a hook's URL";
const PATH = 'hook-path-that-is-a-secret';
const SERVICES: readonly ServiceName[] = ['api', 'dispatcher', 'dlq-consumer'];
const HEADER_VALUE = 'header-value-that-is-a-secret';
const IDEMPOTENCY_KEY = 'key-that-a-client-chose';

describe('secrets of a running system', () => {
  let system: System;
  let topics: TopicReader[];
  let collecting: Collector;
  /** The secrets, by their kind. */
  const planted = new Map<string, string>();
  /** All responses of the api except those that return a secret once. */
  const answers: string[] = [];

  before(async () => {
    collecting = await collector();
    system = await startSystem({
      LOG_LEVEL: 'trace',
      RETRY_STEP: '50ms',
      OTEL_EXPORTER_OTLP_ENDPOINT: collecting.url,
    });
    const names = [...DELIVERY_TOPICS, EVENTS_TOPIC, NOTIFICATIONS_TOPIC, QUARANTINE_TOPIC];
    topics = await Promise.all(names.map((topic) => topicReader(system.world, topic)));
    planted.set('the token', system.token);
    planted.set('the encryption key', system.env.ENCRYPTION_KEYS!.split(':')[1]!);
    planted.set(HOOK_PATH, PATH);
    planted.set('an idempotency key', IDEMPOTENCY_KEY);
    planted.set('the value of a static header', HEADER_VALUE);
    await live();
  });
  after(async () => {
    await Promise.all((topics ?? []).map((reader) => reader.stop()));
    await system?.stop();
    await collecting?.close();
  });

  const ask = async (method: string, path: string, body?: object) => {
    const answer = await system.client.raw(method, path, body);
    answers.push(JSON.stringify(answer.body));
    return answer;
  };
  const once = async <T extends string>(what: T, field: string, path: string, body?: object) => {
    const { body: shown } = await system.client.raw('POST', path, body);
    const { [field]: secret, ...rest } = shown as Record<string, string>;
    planted.set(what, secret!.replace('whsec_', ''));
    answers.push(JSON.stringify(rest));
    return shown as Record<string, string>;
  };

  /** Uses a workspace in all ways, with successes and failures. */
  async function live() {
    const hook = {
      url: `${system.receiver.url}/${PATH}`,
      eventTypes: ['billing.plan_changed'],
      headers: { authorization: `Bearer ${HEADER_VALUE}` },
    };
    const made = await system.client.call<{ id: string }>('POST', '/webhooks', hook);
    await once('a former signing secret', 'secret', `/webhooks/${made.id}/rotate-secret`);
    await once('a signing secret', 'secret', `/webhooks/${made.id}/rotate-secret`);
    await once('a second token', 'token', '/api-tokens', { name: 'second', scopes: ['read'] });
    const invited = { email: 'guest@example.com', role: 'viewer' };
    const { id, acceptToken } = await once("an invitation's secret", 'acceptToken', '/invitations', invited);
    await ask('POST', `/invitations/${id}/accept`, { acceptToken });
    system.receiver.answer(() => ({ status: 500, body: 'no' }));
    await ask('PUT', '/billing/plan', { plan: 'team' });
    await eventually(async () => {
      const { body } = await system.client.raw('GET', `/webhooks/${made.id}/deliveries`);
      expect(JSON.stringify(body)).to.include('dead_lettered');
    }, 30_000);
    // Its message is published in any case: the api stored its row.
    await ask('POST', `/webhooks/${made.id}/test-event`);
    await goWrong(made.id);
  }
  /** Rejected requests with secrets in the wrong places. */
  async function goWrong(endpointId: string) {
    const signing = `whsec_${planted.get('a signing secret')}`;
    await ask('PATCH', `/webhooks/${endpointId}`, { description: 1, secret: signing });
    await ask('PATCH', `/webhooks/${endpointId}`, { headers: { 'bad name': HEADER_VALUE } });
    await ask('PATCH', `/webhooks/${endpointId}`, { url: `http://10.0.0.1/${PATH}` });
    await ask('POST', '/api-tokens', { name: system.token.repeat(9), scopes: ['admin'] });
    await ask('POST', `/invitations/${system.token}/accept`, { acceptToken: system.token });
    await ask('GET', `/webhooks/${encodeURIComponent(signing)}`);
    const [{ port }] = system.services('api') as [ServiceProcess];
    for (const plan of ['business', 'team']) {
      const answer = await fetch(`http://127.0.0.1:${port}/workspaces/acme/api-tokens`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${system.token}`,
          'content-type': 'application/json',
          'idempotency-key': IDEMPOTENCY_KEY,
        },
        body: JSON.stringify({ name: plan, scopes: ['read'] }),
      });
      const { token, ...rest } = (await answer.json()) as Record<string, string>;
      if (token !== undefined) planted.set('a token under an idempotency key', token);
      answers.push(JSON.stringify(rest));
    }
  }

  /** @param except kinds that are expected there */
  function expectNoneIn(place: string, text: string, except = '') {
    for (const [what, secret] of planted) {
      if (what !== except) expect(text.includes(secret), `${what} in ${place}`).to.equal(false);
    }
  }

  it('appear in no log line', () => {
    const lines = SERVICES.flatMap((name) => system.services(name)).flatMap(({ output }) => output);
    expect(lines.length).to.be.above(20);
    expectNoneIn('the output', lines.join('\n'));
  });

  it('appear in no metric', async () => {
    for (const { metricsPort } of SERVICES.flatMap((name) => system.services(name))) {
      const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      expect(metrics).to.include('postrider_build_info');
      expectNoneIn('the metrics', metrics);
    }
  });

  it('appear in no span', async () => {
    const senders = () => new Set(collecting.spans.map(({ service }) => service));
    const all = SERVICES.map((name) => `postrider-${name}`);
    await eventually(() => expect([...senders()]).to.have.members(all), 15_000);
    expectNoneIn('a span', JSON.stringify(collecting.spans));
  });

  it('appear in no audit event and no notification', async () => {
    for (const list of ['/audit-events', '/notifications']) {
      const { body } = await system.client.raw('GET', `${list}?limit=200`);
      expect((body.items as unknown[]).length).to.be.above(0);
      expectNoneIn(list, JSON.stringify(body));
    }
  });

  it('appear in no topic', async () => {
    const [deliveries, events] = [topics[0]!, topics[DELIVERY_TOPICS.length]!];
    await eventually(() => expect(deliveries.records.length * events.records.length).to.be.above(0));
    for (const { records } of topics) {
      for (const { value, headers } of records)
        expectNoneIn('a topic', `${value} ${JSON.stringify(headers)}`);
    }
  });

  it('appear in no error response', () => {
    expectNoneIn('an answer', answers.join('\n'), HOOK_PATH);
  });

  it('are not readable in the database', async () => {
    for (const { collectionName } of Object.values(system.world.database.collections)) {
      const rows = await system.world.database.db.collection(collectionName).find().toArray();
      expectNoneIn(collectionName, JSON.stringify(rows), collectionName === 'endpoints' ? HOOK_PATH : '');
    }
  });
});
