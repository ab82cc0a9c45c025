import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import { type Collector, collector } from './collector.js';
import { type System, startSystem } from './system.js';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';

describe('tracing', () => {
  let collecting: Collector;
  let system: System;
  before(async () => {
    collecting = await collector();
    system = await startSystem({ OTEL_EXPORTER_OTLP_ENDPOINT: collecting.url, RETRY_STEP: '50ms' });
  });
  after(async () => {
    await system?.stop();
    await collecting?.close();
  });

  const ask = (method: string, path: string, body: object | null, traceparent: string) =>
    fetch(`http://127.0.0.1:${system.services('api')[0]!.port}/workspaces/acme${path}`, {
      method,
      headers: { authorization: `Bearer ${system.token}`, 'content-type': 'application/json', traceparent },
      ...(body && { body: JSON.stringify(body) }),
    });
  const open = (path: string) =>
    system.client.call<{ id: string }>('POST', '/webhooks', {
      url: `${system.receiver.url}/${path}`,
      eventTypes: ['billing.plan_changed'],
    });
  const inTrace = (traceId: string, service: string) =>
    collecting.spans.filter((span) => span.traceId === traceId && span.service === `postrider-${service}`);

  it('has one trace from the caller through the event and every attempt to the dead letter', async () => {
    system.receiver.answer(() => ({ status: 503 }));
    await open('broken?key=planted-4711');
    const answer = await ask('PUT', '/billing/plan', { plan: 'team' }, `00-${TRACE_ID}-${CALLER}-01`);
    expect(answer.headers.get('x-trace-id')).to.equal(TRACE_ID);
    await eventually(() => expect(inTrace(TRACE_ID, 'dlq-consumer')).to.have.length(1), 30_000);
    const [request] = await eventually(() => {
      expect(inTrace(TRACE_ID, 'api')).to.have.length(1);
      expect(inTrace(TRACE_ID, 'dispatcher')).to.have.length(8);
      return inTrace(TRACE_ID, 'api');
    });
    expect(request).to.include({ name: 'change_plan', parentSpanId: CALLER });
    const [fanOut] = inTrace(TRACE_ID, 'dispatcher').filter(({ name }) => name === 'fan-out');
    expect(fanOut).to.include({ parentSpanId: request!.spanId });
    const attempts = inTrace(TRACE_ID, 'dispatcher').filter(({ name }) => name === 'attempt');
    expect(attempts.map(({ parentSpanId }) => parentSpanId)).to.deep.equal(Array(7).fill(fanOut!.spanId));
    expect(inTrace(TRACE_ID, 'dlq-consumer')[0]).to.include({
      name: 'dead-letter',
      parentSpanId: fanOut!.spanId,
    });
    expect(system.receiver.received[0]!.headers['x-trace-id']).to.equal(TRACE_ID);
  });

  it('makes the attempt of a test event a child of its request', async () => {
    system.receiver.answer(() => ({ status: 200 }));
    const { id } = await open('working');
    const traceId = 'a'.repeat(32);
    await ask('POST', `/webhooks/${id}/test-event`, null, `00-${traceId}-${CALLER}-01`);
    await eventually(() => {
      const [request] = inTrace(traceId, 'api');
      const [attempt] = inTrace(traceId, 'dispatcher');
      expect(request).to.include({ name: 'send_webhook_test_event', parentSpanId: CALLER });
      expect(attempt).to.include({ name: 'attempt', parentSpanId: request!.spanId });
    });
  });

  it('exports neither URLs nor tokens', () => {
    const text = JSON.stringify(collecting.spans);
    expect(collecting.spans.length).to.be.at.least(10);
    for (const secret of ['planted-4711', system.token, system.receiver.url])
      expect(text.includes(secret), secret).to.equal(false);
  });
});
