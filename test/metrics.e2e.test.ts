import { once } from 'node:events';
import { get } from 'node:http';
import { METRICS } from '@postrider/shared/metrics/catalog';
import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import type { ServiceName } from '#dev/processes/start-service';
import { type System, startSystem } from './system.js';

const SERVICES: readonly ServiceName[] = ['api', 'dispatcher', 'dlq-consumer'];

type Line = Readonly<Record<string, unknown>>;

describe('logs and metrics of the services', () => {
  let system: System;
  /** Values that no service may write, by their meaning. */
  const planted: Record<string, string> = {
    path: 'planted-path-4711',
    query: 'planted-query-4711',
    answer: 'planted-answer-4711',
    'rejected token': `prt_planted${'4711'.repeat(8)}`,
    'rejected body': 'planted-body-4711',
    'idempotency key': 'planted-idempotency-4711',
  };
  let traceId = '';
  let failingEndpoint = '';

  before(async () => {
    system = await startSystem({ LOG_LEVEL: 'debug', LOG_SAMPLE_DELIVERED: '1', RETRY_STEP: '50ms' });
    await deliverAndFail();
  });
  after(() => system?.stop());

  const call = <T>(method: string, path: string, body?: object) => system.client.call<T>(method, path, body);
  const open = (path: string) =>
    call<{ id: string }>('POST', '/webhooks', {
      url: `${system.receiver.url}/${path}`,
      eventTypes: ['billing.plan_changed'],
    });
  const apiUrl = () => `http://127.0.0.1:${system.services('api')[0]!.port}/workspaces/acme`;
  const send = (path: string, headers: Record<string, string>, body: string) =>
    fetch(`${apiUrl()}${path}`, { method: 'POST', headers, body });

  /** One endpoint accepts everything, another nothing; secrets pass through every interface. */
  async function deliverAndFail(): Promise<void> {
    system.receiver.answer(({ path }) => ({
      status: path.startsWith('/good') ? 200 : 500,
      body: planted.answer!,
    }));
    await open('good');
    const failing = await open(`${planted.path}?key=${planted.query}`);
    failingEndpoint = failing.id;
    const rotated = await call<{ secret: string }>('POST', `/webhooks/${failing.id}/rotate-secret`);
    const made = await call<{ token: string }>('POST', '/api-tokens', { name: 'ci', scopes: ['read'] });
    const invitation = { email: 'new@example.com', role: 'viewer' };
    const invited = await call<{ acceptToken: string }>('POST', '/invitations', invitation);
    const issued = { 'signing secret': rotated.secret, token: made.token, 'own token': system.token };
    Object.assign(planted, issued, { 'accept token': invited.acceptToken });
    const json = { 'content-type': 'application/json' };
    const own = { authorization: `Bearer ${system.token}`, ...json };
    await send('/webhooks', { authorization: `Bearer ${planted['rejected token']}` }, '{}');
    await send('/webhooks', own, `{"url": "${planted['rejected body']}", "eventTypes": 7`);
    const keyed = { ...own, 'idempotency-key': planted['idempotency key']! };
    await send(`/webhooks/${failing.id}/rotate-secret`, keyed, '');
    const changed = await fetch(`${apiUrl()}/billing/plan`, {
      method: 'PUT',
      headers: own,
      body: '{"plan": "team"}',
    });
    traceId = changed.headers.get('x-trace-id') ?? '';
    // Regression: once bundled, parseurl called the deprecated url.parse() outside of node_modules, and Node.js printed a warning.
    const [answer] = await once(get(apiUrl(), { path: '/workspaces/acme#fragment' }), 'response');
    answer.resume();
    await eventually(async () => {
      const { items } = await call<{ items: { status: string }[] }>(
        'GET',
        `/webhooks/${failing.id}/deliveries`,
      );
      expect(items.map(({ status }) => status)).to.include('dead_lettered');
    }, 30_000);
  }

  const written = (name: ServiceName) => system.services(name).flatMap(({ output }) => output);
  const lines = (name: ServiceName, event: string): Line[] =>
    written(name)
      .map((line) => JSON.parse(line) as Line)
      .filter((line) => line.event === event);
  const scrape = async (name: ServiceName) => {
    const answer = await fetch(`http://127.0.0.1:${system.services(name)[0]!.metricsPort}/metrics`);
    expect(answer.status).to.equal(200);
    return answer.text();
  };
  const value = (text: string, name: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')[1],
    );

  describe('metrics', () => {
    for (const service of SERVICES) {
      it(`of ${service} are exactly those declared, and Node's own`, async () => {
        const found = [...(await scrape(service)).matchAll(/^# TYPE (postrider_\S+) (\S+)$/gm)];
        const declared = Object.entries(METRICS).filter(([, { from }]) =>
          from.some((one) => one === service),
        );
        expect(found.map(([, name, kind]) => `${name} ${kind}`).toSorted()).to.deep.equal(
          declared.map(([name, { kind }]) => `${name} ${kind}`).toSorted(),
        );
      });
    }

    it('count deliveries, failures with their reasons, and what followed', async () => {
      await eventually(async () => {
        const text = await scrape('dispatcher');
        expect(value(text, 'postrider_attempts_total{outcome="delivered"}')).to.be.at.least(1);
        expect(value(text, 'postrider_attempts_total{outcome="http_status"}')).to.equal(7);
        for (const tier of [1, 2, 3, 4, 5, 6])
          expect(value(text, `postrider_retries_total{tier="${tier}"}`), `tier ${tier}`).to.equal(1);
        expect(value(text, 'postrider_dead_letters_total')).to.equal(1);
        expect(value(text, `postrider_endpoint_failures{endpoint="${failingEndpoint}"}`)).to.equal(7);
      });
      expect(
        value(await scrape('dlq-consumer'), 'postrider_dead_letters_handled_total{result="dead_lettered"}'),
      ).to.equal(1);
    });

    it('report no lag once everything is processed', async () => {
      await eventually(async () => {
        const text = await scrape('dispatcher');
        for (const topic of ['webhook.deliveries', 'webhook.deliveries.retry.1'])
          expect(value(text, `postrider_consumer_lag{group="dispatcher",topic="${topic}"}`), topic).to.equal(
            0,
          );
        expect(value(text, 'postrider_consumer_lag{group="fan-out",topic="workspace.events"}')).to.equal(0);
        expect(value(text, 'postrider_oldest_due_seconds')).to.equal(0);
        expect(value(text, 'postrider_outbox_waiting')).to.equal(0);
        expect(value(text, 'postrider_in_flight')).to.equal(0);
      }, 30_000);
      const text = await scrape('dispatcher');
      for (const group of ['dispatcher', 'fan-out'])
        expect(value(text, `postrider_consumer_heartbeat_age_seconds{group="${group}"}`)).to.be.below(30);
    });

    it('count requests by operation and status, including rejected ones', async () => {
      const text = await scrape('api');
      const requests = (labels: string) => value(text, `postrider_http_requests_total{${labels}}`);
      expect(requests('operation="change_plan",status="200"')).to.equal(1);
      expect(requests('operation="create_webhook",status="201"')).to.equal(2);
      expect(requests('operation="create_webhook",status="401"')).to.equal(1);
    });
  });

  describe('logs', () => {
    it('consist of one JSON object per line', () => {
      for (const service of SERVICES)
        for (const line of written(service)) expect(() => JSON.parse(line), line).not.to.throw();
    });

    it('contain one trace from the request to every attempt and to the dead letter', async () => {
      expect(traceId).to.match(/^[0-9a-f]{32}$/);
      const traced = (name: ServiceName, event: string) =>
        lines(name, event).filter((line) => line.traceId === traceId);
      expect(traced('api', 'http.request').map(({ operation }) => operation)).to.deep.equal(['change_plan']);
      await eventually(() => {
        expect(traced('dispatcher', 'delivery.attempted')).to.have.length(8);
        expect(traced('dlq-consumer', 'delivery.dead_lettered')).to.have.length(1);
      });
    });

    it('contain one line per attempt with the same fields', () => {
      const attempted = lines('dispatcher', 'delivery.attempted');
      expect(new Set(attempted.map((line) => Object.keys(line).join())).size).to.equal(1);
      const failed = attempted.filter(({ endpointId }) => endpointId === failingEndpoint);
      expect(failed.map(({ ordinal }) => ordinal)).to.deep.equal([1, 2, 3, 4, 5, 6, 7]);
      expect(failed.at(-1)).to.include({ next: 'dead-letter', httpStatus: 500, verdict: 'retryable' });
    });

    it('contain no secret', () => {
      expect(Object.keys(planted)).to.have.length(10);
      for (const service of SERVICES) {
        const text = written(service).join('\n');
        expect(text.length).to.be.at.least(300);
        for (const [what, secret] of Object.entries(planted))
          expect(text.includes(secret), `${what} in the log of ${service}`).to.equal(false);
      }
    });

    it('and metrics contain no secret', async () => {
      for (const service of SERVICES) {
        const text = await scrape(service);
        for (const [what, secret] of Object.entries(planted))
          expect(text.includes(secret), `${what} in the metrics of ${service}`).to.equal(false);
      }
    });
  });
});
