import { PROBES, type Probe } from '@postrider/shared/domain/conformance-check';
import { formatSecret, signingKey } from '@postrider/shared/domain/signing';
import { ENDPOINT_ID, TRACE_ID, WORKSPACE_ID } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { probeRequests } from '../../src/conformance/probe-requests.js';

const SECRET = formatSecret(Buffer.alloc(32, 3));

/** The library compares timestamps with the time of the test. */
const NOW = new Date();

const requestsOf = (probe: Probe) =>
  probeRequests(probe, {
    check: { workspaceId: WORKSPACE_ID, endpointId: ENDPOINT_ID, traceId: TRACE_ID },
    deliveryId: 'whd_1',
    eventId: 'evt_1',
    keys: [signingKey(SECRET)],
    now: NOW,
    userAgent: 'Postrider/test',
    ownHeaders: { 'x-own': 'mine' },
  });
const verify = ({ headers, body }: ReturnType<typeof requestsOf>[number]) =>
  new Webhook(SECRET).verify(body, headers);

describe('probe requests', () => {
  it('are accepted or refused by the library of Standard Webhooks as expected', () => {
    for (const probe of ['valid', 'duplicate', 'two_signatures', 'slow_body'] as const) {
      for (const request of requestsOf(probe)) expect(() => verify(request), probe).not.to.throw();
    }
    for (const probe of ['forged', 'stale', 'missing_headers'] as const) {
      for (const request of requestsOf(probe)) expect(() => verify(request), probe).to.throw();
    }
  });

  it('cannot be verified after the body was parsed and written again', () => {
    const [request] = requestsOf('valid');
    const parsed = JSON.parse(request!.body);
    for (const indent of [undefined, 1, 2, '\t']) {
      const body = JSON.stringify(parsed, null, indent);
      expect(() => verify({ ...request!, body }), String(indent)).to.throw();
    }
    expect(parsed).to.deep.include({ deliveryId: 'whd_1', eventType: 'webhook.test_event' });
    expect(parsed.payload).to.include({ workspaceId: WORKSPACE_ID, endpointId: ENDPOINT_ID });
  });

  it('repeat the delivery id in a duplicate, and put a wrong signature first', () => {
    const [first, second] = requestsOf('duplicate');
    expect(first).to.deep.equal(second);
    const signatures = requestsOf('two_signatures')[0]!.headers['webhook-signature']!.split(' ');
    expect(signatures).to.have.length(2);
    expect(signatures[1]).to.equal(requestsOf('valid')[0]!.headers['webhook-signature']);
  });

  it('have the headers of every delivery', () => {
    for (const probe of PROBES) {
      for (const { headers } of requestsOf(probe)) {
        expect(headers).to.include({ 'user-agent': 'Postrider/test', 'x-own': 'mine' });
        expect(headers).to.include({ 'content-type': 'application/json', 'x-trace-id': TRACE_ID });
      }
    }
  });
});
