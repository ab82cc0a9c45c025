import {
  type AttemptFailureReason,
  type DeliverySummary,
  ERROR_DETAILS,
  type ErrorDetail,
} from '@postrider/shared/domain/delivery';
import type { Endpoint } from '@postrider/shared/domain/endpoint';
import { asId } from '@postrider/shared/domain/id';
import { expect } from 'chai';
import { explainDelivery, type Replay } from '../../src/domain/explain-delivery.js';

type Explainable = Parameters<typeof explainDelivery>[0];

const AT = new Date('2026-03-01T09:30:00.000Z');
const ENABLED = { enabled: true, deletedAt: null, ratePerSecond: null } as unknown as Endpoint;
const DISABLED = { ...ENABLED, enabled: false, disabledReason: 'operator' } as Endpoint;
const DELETED = { ...DISABLED, deletedAt: AT } as Endpoint;
const FRESH: Explainable = {
  status: 'pending',
  failureReason: null,
  attempts: 0,
  nextAttemptAt: null,
  lastAttempt: null,
};

const REPLAY: Replay = {
  id: asId('delivery', `whd_${'0'.repeat(26)}`),
  status: 'pending',
  nextAttemptAt: null,
};

interface Last {
  readonly httpStatus?: number;
  readonly failureReason?: AttemptFailureReason;
  readonly attempts?: number;
}

function row(
  status: DeliverySummary['status'],
  { httpStatus, failureReason = 'http_status', attempts = 1 }: Last,
  facts: Partial<DeliverySummary> = {},
): Explainable {
  const lastAttempt = {
    ordinal: attempts,
    httpStatus: httpStatus ?? null,
    failureReason,
    responseBody: null,
    attemptedAt: AT,
    durationMs: 10_000,
  };
  const reason = status === 'dead_lettered' ? 'retries_exhausted' : failureReason;
  return { ...FRESH, status, failureReason: reason, attempts, lastAttempt, ...facts } as Explainable;
}

const detailOf = (delivery: Explainable, endpoint = ENABLED) =>
  explainDelivery(delivery, { endpoint, replay: null, holds: [], now: AT }).detail;

describe('the explanation of a delivery', () => {
  it('names the status that ended it, and what to do', () => {
    const next = 'Replay it once the receiver is repaired.';
    for (const httpStatus of [400, 401, 404, 410])
      expect(detailOf(row('failed_permanent', { httpStatus }))).to.equal(
        `The receiver answered ${httpStatus}, which is final: it is not retried. ${next}`,
      );
    expect(detailOf(row('failed_permanent', { httpStatus: 404, attempts: 3 }))).to.equal(
      `In attempt 3 the receiver answered 404, which is final: it is not retried. ${next}`,
    );
    expect(detailOf(row('failed_permanent', { httpStatus: 308 }))).to.equal(
      'The receiver answered 308, a redirect (redirects are not followed), which is final: it is not retried. ' +
        'Replay it once the endpoint has the URL that the receiver redirects to.',
    );
  });

  it('names what failed in the last attempt once the retries are exhausted', () => {
    const dead = (last: Last) => detailOf(row('dead_lettered', { ...last, attempts: 7 }));
    const details = [
      dead({ httpStatus: 500 }),
      dead({ httpStatus: 429 }),
      ...(['tls', 'dns', 'timeout', 'connection_refused', 'network'] as const).map((failureReason) =>
        dead({ failureReason }),
      ),
    ];
    expect(new Set(details).size).to.equal(details.length);
    expect(details[0]).to.equal(
      'The last of 7 attempts failed: the receiver answered 500. The retries are exhausted. Replay it once the receiver is repaired.',
    );
    expect(details[2]).to.include('no TLS connection was established. ');
    expect(details[4]).to.include('no response came within 10000 ms');
    expect(detailOf(row('failed', { httpStatus: 500, attempts: 7 }))).to.equal(
      'The last of 7 attempts failed: the receiver answered 500. It is about to be dead-lettered.',
    );
  });

  it('names why no TLS connection was established', () => {
    const failed = row('dead_lettered', { failureReason: 'tls', attempts: 7 });
    const detail = (errorDetail: ErrorDetail, failureReason: AttemptFailureReason = 'tls') =>
      detailOf({ ...failed, lastAttempt: { ...failed.lastAttempt!, failureReason, errorDetail } });
    expect(detail('expired')).to.equal(
      "The last of 7 attempts failed: no TLS connection was established (the receiver's certificate has expired). " +
        'The retries are exhausted. Replay it once the receiver is repaired.',
    );
    expect(new Set(ERROR_DETAILS.map((one) => detail(one))).size).to.equal(ERROR_DETAILS.length);
    expect(detail('handshake', 'timeout')).to.include('no TLS connection was established');
  });

  it('names the next attempt, unless the endpoint gets none', () => {
    const failed = row('failed', { httpStatus: 503, attempts: 2 }, { nextAttemptAt: AT });
    const attempt = 'Attempt 2 of at most 7 failed: the receiver answered 503.';
    expect(detailOf(failed)).to.equal(`${attempt} The next one is due at ${AT.toISOString()}.`);
    expect(detailOf(failed, DISABLED)).to.equal(
      `${attempt} The endpoint is disabled, so the delivery will end without another attempt.`,
    );
    expect(detailOf(failed, DELETED)).to.include('The endpoint is deleted');
  });

  it('says of a pending delivery that a limited rate may be why', () => {
    expect(detailOf(FRESH)).to.equal('No attempt has ended yet.');
    expect(detailOf(FRESH, { ...ENABLED, ratePerSecond: 2 })).to.equal(
      'No attempt has ended yet. The endpoint is limited to 2 POSTs a second (ratePerSecond): it may be waiting for earlier deliveries.',
    );
    expect(detailOf(FRESH, { ...ENABLED, ratePerSecond: 1 })).to.include('limited to 1 POST a second');
  });

  it('says whether a delivery that was not sent can be replayed now', () => {
    const held: Explainable = { ...FRESH, status: 'failed_permanent', failureReason: 'endpoint_disabled' };
    const unsent = 'It was not sent because the endpoint was disabled.';
    expect(detailOf(held)).to.equal(`${unsent} It can be replayed.`);
    expect(detailOf(held, DISABLED)).to.equal(`${unsent} Replay it once the endpoint is enabled.`);
    expect(detailOf(held, DELETED)).to.equal(
      `${unsent} It cannot be replayed: the endpoint has been deleted.`,
    );
    const last = { httpStatus: 500, attempts: 3 };
    expect(detailOf(row('failed_permanent', last, { failureReason: 'endpoint_disabled' }))).to.equal(
      'Attempt 3 of at most 7 failed: the receiver answered 500. It was not sent again because the endpoint was disabled. It can be replayed.',
    );
  });

  it('says of a due delivery that sending is held, since when, and that it resumes by itself', () => {
    const now = new Date(AT.getTime() + 60_000);
    const heldDetail = (delivery: Explainable, facts: { since?: Date | null; endpoint?: Endpoint } = {}) => {
      const { since = AT, endpoint = ENABLED } = facts;
      return explainDelivery(delivery, { endpoint, replay: null, holds: [{ cause: 'outage', since }], now })
        .detail;
    };
    const why =
      "because Postrider's own network seems to have failed (receivers became unreachable at once), and the delivery may " +
      'be waiting for that. Sending resumes by itself when receivers are reached again.';
    const since = `Sending has been held since ${AT.toISOString()} ${why}`;
    expect(heldDetail(FRESH)).to.equal(`No attempt has ended yet. ${since}`);
    expect(heldDetail(FRESH, { since: null })).to.equal(
      `No attempt has ended yet. Sending has been held ${why}`,
    );
    const failed = (nextAttemptAt: Date) => row('failed', { httpStatus: 500 }, { nextAttemptAt });
    expect(heldDetail(failed(AT))).to.match(/The next one is due at \S+\. Sending has been held/);
    const notDue = [failed(new Date(now.getTime() + 1)), row('failed_permanent', { httpStatus: 404 })];
    for (const delivery of notDue) expect(heldDetail(delivery)).to.not.include('held');
    expect(heldDetail(FRESH, { endpoint: DISABLED })).to.not.include('held');
    const holds = [{ cause: 'clock', since: AT } as const];
    expect(explainDelivery(FRESH, { endpoint: ENABLED, replay: null, holds, now }).detail).to.equal(
      `No attempt has ended yet. Sending has been held since ${AT.toISOString()} because the clocks of Postrider's database and of a ` +
        'dispatcher differ by more than 60 s (receivers would refuse the signatures), and the delivery may be waiting for that. ' +
        'Sending resumes by itself when the clocks agree again.',
    );
    expect(detailOf(FRESH)).to.not.include('held');
  });

  it('names the newest replay instead of what to do', () => {
    const replay = { ...REPLAY, status: 'delivered' } as const;
    const delivery = row('failed_permanent', { httpStatus: 404 });
    expect(explainDelivery(delivery, { endpoint: ENABLED, replay, holds: [], now: AT }).detail).to.equal(
      `The receiver answered 404, which is final: it is not retried. Its newest replay, ${replay.id}, is delivered.`,
    );
  });

  it('names the next attempt beside the newest replay of a delivery that is still being retried', () => {
    const failed = row('failed', { httpStatus: 503, attempts: 2 }, { nextAttemptAt: AT });
    const now = new Date(AT.getTime() - 1);
    expect(explainDelivery(failed, { endpoint: ENABLED, replay: REPLAY, holds: [], now }).detail).to.equal(
      `Attempt 2 of at most 7 failed: the receiver answered 503. The next one is due at ${AT.toISOString()}. ` +
        `Its newest replay, ${REPLAY.id}, is pending.`,
    );
  });

  it('says once that sending is held, also of a replay that is due', () => {
    const holds = [{ cause: 'outage', since: AT } as const];
    const timesHeld = (delivery: Explainable, replay: Replay, endpoint = ENABLED) =>
      explainDelivery(delivery, { endpoint, replay, holds, now: AT }).detail?.split('Sending has been held')
        .length;
    const held: Explainable = { ...FRESH, status: 'failed_permanent', failureReason: 'endpoint_disabled' };
    const failed = row('failed', { httpStatus: 503 }, { nextAttemptAt: AT });
    expect(timesHeld(held, REPLAY)).to.equal(2);
    expect(timesHeld(failed, REPLAY)).to.equal(2);
    expect(timesHeld(held, { ...REPLAY, status: 'delivered' })).to.equal(1);
    for (const closed of [DISABLED, DELETED]) expect(timesHeld(held, REPLAY, closed)).to.equal(1);
  });

  it('has nothing to add to a delivered one', () => {
    const delivered = row('delivered', { httpStatus: 204 }, { failureReason: null });
    expect(detailOf(delivered)).to.equal(null);
  });

  it('says of a recovery probe that it is not retried', () => {
    const probe = row('failed_permanent', { httpStatus: 500 }, { probeOf: AT });
    expect(detailOf(probe, DISABLED)).to.equal(
      'It is a recovery probe, and the receiver answered 500. A probe is not retried.',
    );
  });

  it('shows the reason where no attempt is stored', () => {
    const bare: Explainable = { ...FRESH, status: 'dead_lettered', failureReason: 'retries_exhausted' };
    expect(detailOf(bare)).to.equal(
      'Its reason is retries_exhausted. Replay it once the receiver is repaired.',
    );
  });
});
