import type { Delivery } from '@postrider/shared/domain/delivery';
import type { EndpointTarget } from '@postrider/shared/domain/endpoint';
import { rotate } from '@postrider/shared/domain/rotation';
import { formatSecret } from '@postrider/shared/domain/signing';
import {
  aDelivery,
  anEndpoint,
  DELIVERY_ID,
  ENDPOINT_ID,
  later,
  NOON,
  TRACE_ID,
} from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import type { Job } from '../../../src/engine/jobs/job.js';
import { createKeyring } from '../../../src/engine/sending/keyring.js';
import { rowToSend } from '../../../src/engine/sending/loaded-row.js';
import { createSendAttempt } from '../../../src/engine/sending/send-attempt.js';
import type { Posted, Poster, PostResult, Unsendable } from '../../../src/ports/poster.js';
import { aClock, aJob, attempted } from '../builders.js';

type Request = Parameters<Poster['post']>[0];

const SECRETS = {
  old: formatSecret(Buffer.alloc(32, 1)),
  new: formatSecret(Buffer.alloc(32, 2)),
  headers: '{"authorization":"Bearer s3cret","x-team":"billing"}',
  reserved: '{"_bsontype":"x","x-team":"billing"}',
};
/** Each encryption has a nonce of its own. */
const box = (name: keyof typeof SECRETS) => ({ keyId: 'k1', nonce: name.padEnd(16, 'A'), box: name });
const HOUR = 3_600_000;

const endpoint = anEndpoint({ secrets: { version: 1, current: box('old'), previous: null } });

const ADDRESS = '203.0.113.7';
const PHASES = { connectMs: 1, headersMs: 30, bodyMs: 7 };

const POSTED: Posted = {
  kind: 'posted',
  outcome: { kind: 'answered', httpStatus: 200, responseBody: 'thanks' },
  origin: new URL(endpoint.url).origin,
  durationMs: 38,
  phases: PHASES,
  isWritten: true,
  reach: 'answered',
  remoteAddress: ADDRESS,
};

/** Attempts whose POST takes 40 ms and has the given result. Meanwhile the clock is set forward by `setBy`. */
function attempts(result: PostResult = POSTED, clock = aClock(), setBy = 0) {
  const requests: Request[] = [];
  let monotonicMs = 7;
  const sendAttempt = createSendAttempt({
    poster: {
      async post(request) {
        requests.push(request);
        clock.advance(40 + setBy);
        monotonicMs += 40;
        return result;
      },
    },
    keys: createKeyring((sealed) => SECRETS[sealed.box as keyof typeof SECRETS]),
    clock,
    monotonicMs: () => monotonicMs,
    userAgent: 'Postrider/test',
  });
  const make = (job: Job, delivery: Delivery, to: EndpointTarget) =>
    sendAttempt(job, rowToSend(delivery), to);
  return { make, clock, requests };
}

/** The recorded headers that the connection adds. */
const addedTo = ([request]: readonly Request[]) => ({
  host: new URL(endpoint.url).host,
  'content-length': String(Buffer.byteLength(request!.body)),
});

describe('sendAttempt', () => {
  it('POSTs the delivery to the endpoint with all headers and keys in order', async () => {
    const { make, requests } = attempts();
    await make(aJob(), aDelivery({ payload: { previousPlan: 'free', plan: 'team' } }), endpoint);
    const [{ url, headers, body }] = requests as [Request];
    expect(requests).to.have.length(1);
    expect(url).to.equal(endpoint.url);
    expect(body).to.equal(
      `{"deliveryId":"${DELIVERY_ID}","eventType":"billing.plan_changed",` +
        '"payload":{"previousPlan":"free","plan":"team"}}',
    );
    expect(Object.keys(headers)).to.have.members([
      'content-type',
      'user-agent',
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
      'x-trace-id',
    ]);
    expect(headers).to.include({
      'content-type': 'application/json',
      'user-agent': 'Postrider/test',
      'webhook-id': DELIVERY_ID,
      'webhook-timestamp': String(NOON.getTime() / 1_000),
      'x-trace-id': TRACE_ID,
    });
  });

  it('returns the outcome, the times and the request headers', async () => {
    const { make, requests } = attempts();
    const { observation, posted } = attempted(await make(aJob({ ordinal: 3 }), aDelivery(), endpoint));
    expect(observation).to.deep.equal({
      kind: 'attempt',
      deliveryId: DELIVERY_ID,
      endpointId: ENDPOINT_ID,
      ordinal: 3,
      outcome: POSTED.outcome,
      attemptedAt: NOON,
      endedAt: later(40),
      durationMs: 38,
      requestHeaders: { ...requests[0]?.headers, ...addedTo(requests) },
      timings: PHASES,
      remoteAddress: ADDRESS,
    });
    expect(posted?.end).to.deep.equal({ durationMs: 38, timedOut: false });
    expect(posted?.evidence).to.deep.equal({
      workspaceId: endpoint.workspaceId,
      endpointId: ENDPOINT_ID,
      origin: POSTED.origin,
      reach: 'answered',
      durationMs: 38,
    });
  });

  it('returns why no TLS connection was established', async () => {
    const outcome = { kind: 'unreachable', reason: 'tls' } as const;
    const { make } = attempts({ ...POSTED, outcome, errorDetail: 'not_tls' });
    const { observation } = attempted(await make(aJob(), aDelivery(), endpoint));
    expect(observation).to.include({ outcome, errorDetail: 'not_tls' });
  });

  it('sends the headers of the endpoint and records their names alone', async () => {
    const { make, requests } = attempts();
    const headers = { names: ['authorization', 'x-team'], sealed: box('headers') };
    const { observation } = attempted(await make(aJob(), aDelivery(), { ...endpoint, headers }));
    expect(requests[0]?.headers).to.include({ authorization: 'Bearer s3cret', 'x-team': 'billing' });
    expect(requests[0]?.headers).to.include({ 'webhook-id': DELIVERY_ID, 'user-agent': 'Postrider/test' });
    expect(observation.requestHeaders).to.deep.equal({
      ...requests[0]?.headers,
      ...addedTo(requests),
      authorization: '•••',
      'x-team': '•••',
    });
  });

  it('records no header whose name the database refuses', async () => {
    const { make } = attempts();
    const headers = { names: ['_bsontype', 'x-team'], sealed: box('reserved') };
    const { observation } = attempted(await make(aJob(), aDelivery(), { ...endpoint, headers }));
    expect(observation.requestHeaders).to.include({ 'x-team': '•••' }).and.not.to.have.property('_bsontype');
  });

  it('records no headers if the request was not written to a connection', async () => {
    const outcome = { kind: 'unreachable', reason: 'connection_refused' } as const;
    const { make } = attempts({ ...POSTED, outcome, isWritten: false });
    const { observation } = attempted(await make(aJob(), aDelivery(), endpoint));
    expect(observation).to.deep.include({ durationMs: 38, requestHeaders: null, timings: PHASES });
  });

  it('reports a time-out, and no other failure, to the scheduler', async () => {
    for (const reason of ['timeout', 'connection_refused'] as const) {
      const { make } = attempts({ ...POSTED, outcome: { kind: 'unreachable', reason } });
      const { posted } = attempted(await make(aJob(), aDelivery(), endpoint));
      expect(posted?.end).to.deep.equal({ durationMs: 38, timedOut: reason === 'timeout' });
    }
  });

  it('records the outcome and the times of an unsendable request, and neither headers nor a duration', async () => {
    const outcome: Unsendable = { kind: 'unsendable', reason: 'blocked_address' };
    const { make } = attempts(outcome);
    expect(await make(aJob({ ordinal: 3 }), aDelivery(), endpoint)).to.deep.equal({
      kind: 'attempted',
      observation: {
        kind: 'attempt',
        deliveryId: DELIVERY_ID,
        endpointId: ENDPOINT_ID,
        ordinal: 3,
        outcome,
        attemptedAt: NOON,
        endedAt: later(40),
        durationMs: null,
        requestHeaders: null,
        timings: { connectMs: null, headersMs: null, bodyMs: null },
        remoteAddress: null,
      },
      posted: null,
    });
  });

  it('ends by its duration if the clock is set meanwhile, so that its retry is not due an hour later', async () => {
    const { make } = attempts(POSTED, aClock(), HOUR);
    const result = await make(aJob(), aDelivery(), endpoint);
    expect(result).to.have.nested.property('observation.endedAt').that.deep.equals(later(40));
  });

  it('uses a new timestamp for each attempt, in whole seconds', async () => {
    const { make, clock, requests } = attempts();
    await make(aJob(), aDelivery(), endpoint);
    clock.advance(1_950);
    await make(aJob({ ordinal: 2 }), aDelivery(), endpoint);
    const seconds = requests.map(
      ({ headers }) => Number(headers['webhook-timestamp']) - NOON.getTime() / 1_000,
    );
    expect(seconds).to.deep.equal([0, 1]);
    expect(new Set(requests.map(({ headers }) => headers['webhook-signature'])).size).to.equal(2);
  });

  it('returns the error without a POST if the secret of the endpoint cannot be decrypted', async () => {
    const error = new Error('unknown key');
    const sent: Request[] = [];
    const make = createSendAttempt({
      poster: {
        async post(request) {
          sent.push(request);
          return POSTED;
        },
      },
      keys: createKeyring(() => {
        throw error;
      }),
      clock: aClock(),
      monotonicMs: () => 0,
      userAgent: 'Postrider/test',
    });
    expect(await make(aJob(), rowToSend(aDelivery()), endpoint)).to.deep.equal({
      kind: 'undecryptable',
      error,
    });
    expect(sent).to.deep.equal([]);
  });
});

describe('signatures of an attempt', () => {
  /** The request of an attempt to an endpoint whose secret was rotated `since` milliseconds before. */
  async function received(sinceRotation: number | null) {
    const now = new Date();
    const rotatedAt = new Date(now.getTime() - (sinceRotation ?? 0));
    const after = anEndpoint({
      secrets: rotate(endpoint.secrets!, { secret: box('new'), publicKey: null }, rotatedAt),
    });
    const { make, requests } = attempts(POSTED, aClock(now));
    await make(aJob(), aDelivery(), sinceRotation === null ? endpoint : after);
    const [{ headers, body }] = requests as [Request];
    const accepts = (secret: string) => {
      try {
        return new Webhook(secret).verify(body, { ...headers }) !== undefined;
      } catch {
        return false;
      }
    };
    const signatures = headers['webhook-signature']?.split(' ') ?? [];
    const signatureOf = (secret: string) => new Webhook(secret).sign(DELIVERY_ID, now, body);
    return { signatures, signatureOf, accepts };
  }

  it('are verified by the library that receivers use', async () => {
    const { signatures, accepts } = await received(null);
    expect(signatures).to.have.length(1);
    expect(accepts(SECRETS.old)).to.equal(true);
    expect(accepts(SECRETS.new)).to.equal(false);
  });

  for (const since of [0, HOUR, 24 * HOUR - 1]) {
    it(`are made with the new and the old secret ${since} ms after a rotation, the new one first`, async () => {
      const { signatures, signatureOf, accepts } = await received(since);
      expect(signatures).to.deep.equal([signatureOf(SECRETS.new), signatureOf(SECRETS.old)]);
      expect(accepts(SECRETS.new)).to.equal(true);
      expect(accepts(SECRETS.old)).to.equal(true);
    });
  }

  it('are made with the new secret only after 24 hours', async () => {
    const { signatures, signatureOf, accepts } = await received(24 * HOUR);
    expect(signatures).to.deep.equal([signatureOf(SECRETS.new)]);
    expect(accepts(SECRETS.new)).to.equal(true);
    expect(accepts(SECRETS.old)).to.equal(false);
  });

  it('returns no observation if the POST is postponed', async () => {
    const postponed = { kind: 'postponed', cause: 'look_up', forMs: 700 } as const;
    const { make } = attempts(postponed);
    expect(await make(aJob(), aDelivery(), endpoint)).to.equal(postponed);
  });
});
