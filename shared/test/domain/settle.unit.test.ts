import { expect } from 'chai';
import { lastResponseOf } from '../../src/domain/delivery.js';
import type { Outcome } from '../../src/domain/judge.js';
import { isRecorded, type Settlement, type Situation, settle } from '../../src/domain/settle.js';
import {
  aCancellation,
  aDelivery,
  aFailedDelivery,
  aFailingEndpoint,
  anAttemptObservation,
  anEndpoint,
  answered,
  aTerminalDelivery,
  idFor,
  later,
  NOON,
  nameOf,
  unreachable,
  unsendable,
} from '../../src/testing/builders.js';

const STEP_MS = 30_000;
const ENDED = later(40);

const settled = (situation: Situation, outcome: Outcome, ordinal = 1): Settlement => {
  const settlement = settle(situation, anAttemptObservation({ outcome, ordinal }), STEP_MS);
  if (settlement === null) throw new Error('nothing was settled');
  return settlement;
};

describe('settle, section 3.1: from pending or failed', () => {
  const TABLE = [
    { outcome: answered(200), to: 'delivered', reason: null },
    { outcome: answered(500), to: 'failed', reason: 'http_status' },
    { outcome: answered(408), to: 'failed', reason: 'http_status' },
    { outcome: answered(429), to: 'failed', reason: 'http_status' },
    { outcome: unreachable('network'), to: 'failed', reason: 'network' },
    { outcome: unreachable('timeout'), to: 'failed', reason: 'timeout' },
    { outcome: answered(404), to: 'failed_permanent', reason: 'http_status' },
    { outcome: answered(302), to: 'failed_permanent', reason: 'http_status' },
    { outcome: unsendable('invalid_url'), to: 'failed_permanent', reason: 'invalid_url' },
    { outcome: unsendable('blocked_address'), to: 'failed_permanent', reason: 'blocked_address' },
  ] as const;

  for (const { outcome, to, reason } of TABLE) {
    for (const [from, row] of [
      ['pending', aDelivery()],
      ['failed', aFailedDelivery(3)],
    ] as const) {
      it(`${from} → ${to} on ${nameOf(outcome)}`, () => {
        const ordinal = row.attempts + 1;
        const { delivery, attempt } = settled({ delivery: row, endpoint: anEndpoint() }, outcome, ordinal);
        expect(delivery).to.include({ status: to, failureReason: reason, attempts: ordinal });
        expect(attempt).to.include({ status: to, failureReason: reason, ordinal });
      });
    }
  }

  it('leaves a terminal row without a next attempt and due time', () => {
    for (const outcome of [answered(200), answered(404), unsendable()]) {
      const { delivery } = settled({ delivery: aFailedDelivery(2), endpoint: anEndpoint() }, outcome, 3);
      expect(delivery).to.include({ nextAttemptAt: null, dueAt: null });
    }
  });

  it('keeps all other fields of the row', () => {
    const row = aDelivery({ replayedFrom: idFor('delivery', 'source') });
    const { delivery } = settled({ delivery: row, endpoint: anEndpoint() }, answered(503));
    const kept = [
      'id',
      'workspaceId',
      'endpointId',
      'eventType',
      'replayedFrom',
      'traceId',
      'createdAt',
    ] as const;
    for (const field of kept) expect(delivery[field], field).to.equal(row[field]);
  });
});

describe('settle, section 8: the next attempt', () => {
  for (const [made, seconds] of [
    [1, 30],
    [2, 60],
    [3, 90],
    [4, 120],
    [5, 150],
    [6, 180],
  ] as const) {
    it(`is due ${seconds} s after the end of failure ${made}`, () => {
      const row = made === 1 ? aDelivery() : aFailedDelivery(made - 1);
      const { delivery } = settled({ delivery: row, endpoint: anEndpoint() }, answered(503), made);
      expect(delivery.nextAttemptAt).to.deep.equal(later(seconds * 1_000, ENDED));
      expect(delivery.dueAt).to.deep.equal(delivery.nextAttemptAt);
      expect(delivery.failingSince).to.equal(null);
    });
  }

  it('is replaced after failure 7 by a dead letter that is due in a minute', () => {
    const situation = { delivery: aFailedDelivery(6), endpoint: anEndpoint() };
    const { delivery } = settled(situation, answered(503), 7);
    expect(delivery).to.include({ status: 'failed', attempts: 7, nextAttemptAt: null });
    expect(delivery.dueAt).to.deep.equal(later(60_000, ENDED));
  });

  it('scales with the configured step', () => {
    const observation = anAttemptObservation({ outcome: answered(503), ordinal: 3 });
    const settlement = settle({ delivery: aFailedDelivery(2), endpoint: anEndpoint() }, observation, 5);
    expect(settlement?.delivery.nextAttemptAt).to.deep.equal(later(15, ENDED));
  });
});

describe('settle: the outage stored with the seventh failure', () => {
  it('is the current outage of the endpoint', () => {
    const endpoint = aFailingEndpoint(6, { failingSince: later(-90_000) });
    const { delivery } = settled({ delivery: aFailedDelivery(6), endpoint }, unreachable(), 7);
    expect(delivery.failingSince).to.deep.equal(later(-90_000));
  });

  it('begins with this failure if the streak was 0', () => {
    const situation = { delivery: aFailedDelivery(6), endpoint: anEndpoint() };
    expect(settled(situation, unreachable(), 7).delivery.failingSince).to.deep.equal(ENDED);
  });

  it('is kept if the endpoint was disabled meanwhile', () => {
    const endpoint = aFailingEndpoint(20, { enabled: false, failingSince: later(-90_000) });
    const { delivery } = settled({ delivery: aFailedDelivery(6), endpoint }, unreachable(), 7);
    expect(delivery.failingSince).to.deep.equal(later(-90_000));
  });

  it('begins with this failure if the endpoint is missing', () => {
    const { delivery } = settled({ delivery: aFailedDelivery(6), endpoint: null }, unreachable(), 7);
    expect(delivery.failingSince).to.deep.equal(ENDED);
  });
});

describe('settle: the recorded response', () => {
  const observed = anAttemptObservation({ outcome: answered(503, 'busy'), requestHeaders: { a: 'b' } });

  it('is stored in the attempt and copied to the summary', () => {
    const settlement = settle({ delivery: aDelivery(), endpoint: anEndpoint() }, observed, STEP_MS);
    const last = {
      ordinal: 1,
      httpStatus: 503,
      failureReason: 'http_status',
      responseBody: 'busy',
      attemptedAt: NOON,
      durationMs: 40,
    };
    const row = aDelivery();
    expect(settlement?.delivery.lastAttempt).to.deep.equal(last);
    expect(settlement?.attempt).to.deep.equal({
      ...last,
      deliveryId: row.id,
      workspaceId: row.workspaceId,
      endpointId: row.endpointId,
      status: 'failed',
      requestHeaders: { a: 'b' },
      streak: { version: 1, before: 0, after: 1 },
    });
  });

  it('has the timings and the address of the connection', () => {
    const timings = { connectMs: 2, headersMs: 30, bodyMs: 1 };
    const connected = { ...observed, timings, remoteAddress: '192.0.2.1' };
    const settlement = settle({ delivery: aDelivery(), endpoint: anEndpoint() }, connected, STEP_MS);
    expect(settlement?.attempt).to.deep.include({ timings, remoteAddress: '192.0.2.1' });
  });

  it('has no failure reason if it was delivered', () => {
    const { delivery, attempt } = settled({ delivery: aDelivery(), endpoint: anEndpoint() }, answered(204));
    expect([delivery.lastAttempt?.failureReason, attempt.failureReason]).to.deep.equal([null, null]);
    expect(delivery.lastAttempt?.httpStatus).to.equal(204);
  });

  it('has no HTTP status and no body without a response', () => {
    const { attempt } = settled({ delivery: aDelivery(), endpoint: anEndpoint() }, unreachable('tls'));
    expect(attempt).to.include({ httpStatus: null, responseBody: null, failureReason: 'tls' });
  });

  it('has the detail of a failed TLS connection, in the attempt and the summary, until the next one', () => {
    const failed = anAttemptObservation({ outcome: unreachable('tls'), errorDetail: 'expired' });
    const endpoint = anEndpoint();
    const first = settle({ delivery: aDelivery(), endpoint }, failed, STEP_MS)!;
    expect(first.attempt).to.include({ failureReason: 'tls', errorDetail: 'expired' });
    expect(first.delivery.lastAttempt).to.include({ errorDetail: 'expired' });
    const { delivery, attempt } = settled({ delivery: first.delivery, endpoint }, unreachable('dns'), 2);
    for (const record of [attempt, delivery.lastAttempt]) expect(record).to.not.have.property('errorDetail');
  });

  it('has no duration if the request was not sent, which counts as an attempt', () => {
    const refused = anAttemptObservation({ outcome: unsendable(), durationMs: null, requestHeaders: null });
    const settlement = settle({ delivery: aDelivery(), endpoint: anEndpoint() }, refused, STEP_MS);
    expect(settlement?.delivery.attempts).to.equal(1);
    expect(settlement?.attempt).to.include({ durationMs: null, requestHeaders: null });
    expect(settlement?.endpoint?.consecutiveFailures).to.equal(1);
  });

  it('replaces that of the previous attempt in the summary', () => {
    const { delivery } = settled({ delivery: aFailedDelivery(1), endpoint: anEndpoint() }, answered(200), 2);
    expect(delivery.lastAttempt).to.include({ ordinal: 2, httpStatus: 200, responseBody: null });
  });
});

describe('settle: the last response', () => {
  it('is kept when later attempts get none, and replaced by the next one', () => {
    const endpoint = anEndpoint();
    const first = settled({ delivery: aDelivery(), endpoint }, answered(503)).delivery;
    expect(lastResponseOf(first)).to.include({ ordinal: 1, httpStatus: 503 });
    const second = settled({ delivery: first, endpoint }, unreachable('timeout'), 2).delivery;
    expect(second.lastAttempt).to.include({ ordinal: 2, httpStatus: null });
    expect(lastResponseOf(second)).to.deep.equal(lastResponseOf(first));
    const third = settled({ delivery: second, endpoint }, unreachable('dns'), 3).delivery;
    expect(lastResponseOf(third)).to.include({ ordinal: 1, httpStatus: 503 });
    const fourth = settled({ delivery: third, endpoint }, answered(404), 4).delivery;
    expect(lastResponseOf(fourth)).to.include({ ordinal: 4, httpStatus: 404 });
  });

  it('is null without one', () => {
    const { delivery } = settled({ delivery: aDelivery(), endpoint: anEndpoint() }, unreachable('dns'));
    expect(lastResponseOf(delivery)).to.equal(null);
  });
});

describe('settle, section 2.3: the first observation wins', () => {
  const nothing = (situation: Situation, ordinal: number, outcome: Outcome) =>
    expect(settle(situation, anAttemptObservation({ ordinal, outcome }), STEP_MS)).to.equal(null);
  const endpoint = anEndpoint();

  for (const outcome of [answered(200), answered(503), answered(404)]) {
    const name = nameOf(outcome);

    it(`writes nothing for a duplicate: ${name}`, () => {
      nothing({ delivery: aFailedDelivery(3), endpoint }, 3, outcome);
    });

    it(`writes nothing for a late attempt: ${name}`, () => {
      nothing({ delivery: aFailedDelivery(3), endpoint }, 1, outcome);
    });

    it(`writes nothing for an attempt that skips an ordinal: ${name}`, () => {
      nothing({ delivery: aFailedDelivery(3), endpoint }, 5, outcome);
    });

    it(`writes nothing for an eighth attempt: ${name}`, () => {
      nothing({ delivery: aFailedDelivery(7), endpoint }, 8, outcome);
    });

    it(`writes nothing for a missing row: ${name}`, () => {
      nothing({ delivery: null, endpoint }, 1, outcome);
    });

    for (const status of ['delivered', 'failed_permanent', 'dead_lettered'] as const) {
      it(`writes nothing for a row that is ${status}: ${name}`, () => {
        for (const attempts of [1, 6]) {
          nothing({ delivery: aTerminalDelivery(status, { attempts }), endpoint }, attempts + 1, outcome);
        }
      });
    }
  }
});

describe('isRecorded', () => {
  const observed = anAttemptObservation({ ordinal: 2, outcome: answered(503) });
  const row = settle({ delivery: aFailedDelivery(1), endpoint: null }, observed, STEP_MS)!.delivery;

  it('recognises the observation that a row has as its last attempt', () => {
    expect(isRecorded(row, observed)).to.equal(true);
  });

  for (const [difference, other] of [
    ['ordinal', { ordinal: 3 }],
    ['time', { attemptedAt: later(1) }],
    ['duration', { durationMs: 41 }],
    ['HTTP status', { outcome: answered(500) }],
    ['failure', { outcome: unreachable('timeout') }],
  ] as const) {
    it(`is false for an observation with another ${difference}`, () => {
      expect(isRecorded(row, { ...observed, ...other })).to.equal(false);
    });
  }

  it('distinguishes failures without a response by their reason', () => {
    const timedOut = { ...observed, outcome: unreachable('timeout') };
    const { delivery } = settle({ delivery: aFailedDelivery(1), endpoint: null }, timedOut, STEP_MS)!;
    expect(isRecorded(delivery, timedOut)).to.equal(true);
    expect(isRecorded(delivery, { ...timedOut, outcome: unreachable('dns') })).to.equal(false);
  });

  it('is false for a cancellation, a row without attempts, and a missing row', () => {
    expect(isRecorded(row, aCancellation({ ordinal: 2 }))).to.equal(false);
    expect(isRecorded(aDelivery(), observed)).to.equal(false);
    expect(isRecorded(null, observed)).to.equal(false);
  });
});
