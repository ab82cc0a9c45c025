import { expect } from 'chai';
import type { SettledEndpoint } from '../../src/domain/endpoint.js';
import { nextStep } from '../../src/domain/next-step.js';
import {
  DEFAULT_PROBE_STEP_MS,
  nextRecoveryProbeAt,
  planRecoveryProbe,
} from '../../src/domain/recovery-probe.js';
import { settle } from '../../src/domain/settle.js';
import {
  aFailingEndpoint,
  anAttemptObservation,
  answered,
  later,
  NOON,
  unreachable,
} from '../../src/testing/builders.js';

const MINUTE = 60_000;
const minutes = (count: number) => later(count * MINUTE);
const plan = (endpoint: SettledEndpoint, now: Date) =>
  planRecoveryProbe(endpoint, now, DEFAULT_PROBE_STEP_MS);

/** An endpoint that failures disabled at noon, and that shall recover. */
const disabled = (more: object = {}): SettledEndpoint =>
  aFailingEndpoint(20, {
    enabled: false,
    disabledReason: 'consecutive_failures',
    enabledSince: later(-10 * MINUTE),
    disabledAt: NOON,
    recovery: 'probe',
    probeAt: minutes(5),
    ...more,
  });
const probe = () => plan(disabled(), minutes(5)).probe!;
const answer = (outcome = answered(200), endpoint = disabled(), at = minutes(6)) =>
  settle(
    { delivery: probe(), endpoint },
    anAttemptObservation({ deliveryId: probe().id, outcome, endedAt: at }),
    30_000,
  )!;

describe('nextRecoveryProbeAt', () => {
  it('is 5, 15, 30 and 60 minutes after the disabling, then every 2 hours, for 3 days', () => {
    const times: number[] = [];
    for (let now: Date | null = NOON; now !== null; ) {
      now = nextRecoveryProbeAt(NOON, now, DEFAULT_PROBE_STEP_MS);
      if (now !== null) times.push((now.getTime() - NOON.getTime()) / MINUTE);
    }
    expect(times.slice(0, 6)).to.deep.equal([5, 15, 30, 60, 180, 300]);
    expect(times.at(-1)).to.equal(71 * 60);
    expect(times).to.have.length(4 + 35);
  });
});

describe('planRecoveryProbe', () => {
  it('plans the first probe when the endpoint is disabled, and sends none yet', () => {
    expect(plan(disabled({ probeAt: NOON }), later(7))).to.deep.equal({ probe: null, next: minutes(5) });
  });

  it('sends a test event at the planned time, the same one in every process, and plans the next', () => {
    const { probe: sent, next } = plan(disabled(), minutes(5));
    expect(sent).to.deep.include({ eventType: 'webhook.test_event', status: 'pending', probeOf: NOON });
    expect(plan(disabled(), minutes(6)).probe?.id).to.equal(sent?.id);
    expect(next).to.deep.equal(minutes(15));
  });

  it('sends one probe for all that nothing sent at their time', () => {
    const { probe: sent, next } = plan(disabled(), minutes(100));
    expect(sent).not.to.equal(null);
    expect(next).to.deep.equal(minutes(180));
  });

  it('gives a probe the trace id of its own that every process derives', () => {
    expect(probe().traceId).to.match(/^[0-9a-f]{32}$/);
    expect(plan(disabled({ probeAt: minutes(15) }), minutes(15)).probe?.traceId).to.not.equal(
      probe().traceId,
    );
  });

  it('ends a stored probe of a missing or deleted endpoint as that of a deleted one', () => {
    const { id: deliveryId, endpointId } = probe();
    const cancellation = { kind: 'cancellation', deliveryId, endpointId, ordinal: 1, endedAt: NOON } as const;
    for (const endpoint of [null, disabled({ deletedAt: minutes(1) })]) {
      const closed = settle({ delivery: probe(), endpoint }, cancellation, 30_000);
      expect(closed?.delivery.failureReason).to.equal('endpoint_deleted');
    }
  });

  it('sends the last probe, late, until a step after three days', () => {
    const end = minutes(3 * 24 * 60 + 5);
    const last = disabled({ probeAt: minutes(71 * 60) });
    expect(plan(last, end).probe).to.not.equal(null);
    expect(plan(last, later(1, end)).probe).to.equal(null);
  });

  it('sends nothing after three days', () => {
    expect(plan(disabled(), minutes(4 * 24 * 60))).to.deep.equal({ probe: null, next: null });
  });

  for (const [name, change] of [
    ['was enabled', { enabled: true, disabledReason: null }],
    ['was disabled by an operator', { disabledReason: 'operator' }],
    ['was deleted', { deletedAt: minutes(1) }],
    ['shall recover by an operator alone', { recovery: 'manual' }],
    ['has no such setting', { recovery: undefined }],
  ] as const) {
    it(`plans nothing for an endpoint that ${name}`, () => {
      expect(plan(disabled(change), minutes(5))).to.deep.equal({ probe: null, next: null });
    });
    it(`does not send a stored probe to an endpoint that ${name}, and enables nothing`, () => {
      const situation = { delivery: probe(), endpoint: disabled(change) };
      expect(nextStep(situation, 1, minutes(6))).to.deep.equal({ do: 'cancel' });
      const settled = answer(answered(200), disabled(change));
      expect(settled).to.include({ endpoint: null, audit: null, notification: null });
      expect(settled.delivery.status).to.equal('delivered');
    });
  }

  it('holds a probe that is not sent, in the disabled period that it tested', () => {
    const { id: deliveryId, endpointId } = probe();
    const cancellation = { kind: 'cancellation', deliveryId, endpointId, ordinal: 1, endedAt: NOON } as const;
    for (const change of [{ enabled: true, disabledReason: null }, { disabledAt: minutes(3) }]) {
      const closed = settle({ delivery: probe(), endpoint: disabled(change) }, cancellation, 30_000);
      expect(closed?.delivery).to.include({ status: 'failed_permanent', failureReason: 'endpoint_disabled' });
      expect(closed?.delivery.heldSince).to.deep.equal(probe().probeOf);
    }
  });
});

describe('settle, the attempt of a recovery probe', () => {
  it('is sent although the endpoint is disabled', () => {
    expect(nextStep({ delivery: probe(), endpoint: disabled() }, 1, minutes(5)).do).to.equal('deliver');
  });

  for (const outcome of [answered(503), answered(404), unreachable()]) {
    it(`is not retried and counts in no streak: ${JSON.stringify(outcome)}`, () => {
      const settled = answer(outcome);
      expect(settled.delivery).to.include({ status: 'failed_permanent', dueAt: null, attempts: 1 });
      expect(settled.attempt).to.include({ status: 'failed_permanent', streak: null });
      expect(settled).to.include({ endpoint: null, audit: null, notification: null });
    });
  }

  it('enables the endpoint with a 2xx, resets the streak and remembers the disabled period', () => {
    const { endpoint, attempt } = answer();
    expect(endpoint).to.deep.include({
      enabled: true,
      disabledReason: null,
      consecutiveFailures: 0,
      enabledSince: minutes(6),
      lastPeriod: { since: NOON, enabledSince: later(-10 * MINUTE) },
      probeAt: null,
    });
    expect(attempt.streak).to.equal(null);
  });

  it('records the recovery by the system, with a notification and the replay of what was held', () => {
    const { audit, notification, replayJob } = answer();
    expect(audit).to.deep.include({
      action: 'webhook_endpoint.enabled',
      actor: { type: 'system', id: null },
      streak: { version: 21, before: 20, after: 0 },
    });
    expect(notification).to.deep.include({
      kind: 'endpoint_recovered',
      data: { disabledFor: 360, replayJobId: replayJob?.id },
    });
    expect(replayJob?.held?.since).to.deep.equal(NOON);
    expect(replayJob).to.deep.include({ actor: { type: 'system', id: null }, status: 'counting' });
    expect(JSON.stringify([audit, notification])).not.to.include('s3cret');
  });

  it('states how long the endpoint was disabled in seconds, and never a negative time', () => {
    const disabledFor = (at: Date) => answer(answered(200), disabled(), at).notification?.data;
    expect(disabledFor(minutes(60 * 24))).to.deep.include({ disabledFor: 86_400 });
    expect(disabledFor(later(-1_000))).to.deep.include({ disabledFor: 0 });
  });

  it('enables nothing if the endpoint is missing', () => {
    const succeeded = anAttemptObservation({ deliveryId: probe().id, outcome: answered(200) });
    const settlement = settle({ delivery: probe(), endpoint: null }, succeeded, 30_000);
    expect(settlement).to.include({ endpoint: null, audit: null, notification: null });
    expect(settlement?.delivery.status).to.equal('delivered');
  });

  it('does not enable an endpoint that was disabled again meanwhile', () => {
    expect(answer(answered(200), disabled({ disabledAt: minutes(2) })).endpoint).to.equal(null);
  });
});
