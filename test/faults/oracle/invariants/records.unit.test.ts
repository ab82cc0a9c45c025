import {
  attempt,
  audit,
  DELIVERY,
  delivery,
  ENDPOINT,
  failures,
  itChecks,
  itChecksAtEnd,
  notification,
  post,
  replayAudit,
  SENT_AT,
  snapshot,
} from '../builders.js';
import type { AuditRow, DeliveryRow, NotificationRow } from '../snapshot.js';

describe('oracle, I11: audit entries', () => {
  itChecksAtEnd({
    'reports an event with two': [{ now: snapshot({ audits: [audit(), audit({ id: 'aud_2' })] }) }, 'I11'],
    'reports an event without one': [{ now: snapshot({ audits: [] }) }, 'I11'],
    'reports an outbox record that was not published': [{ now: snapshot({ outbox: ['evt_1'] }) }, 'I11'],
  });

  const SENDS = {
    replay: { row: delivery({ id: 'whd_2', replayedFrom: DELIVERY }), entry: replayAudit('whd_2') },
    test: {
      row: delivery({ id: 'whd_2', eventType: 'webhook.test_event', tokenId: null }),
      entry: { ...replayAudit('whd_2'), action: 'webhook.test_event_sent', targetId: ENDPOINT },
    },
  };
  for (const [kind, { row, entry }] of Object.entries(SENDS)) {
    const { id: deliveryId, tokenId } = row;
    const sent = (rows: readonly DeliveryRow[], entries: readonly AuditRow[]) => ({
      now: snapshot({
        deliveries: [delivery(), ...rows],
        attempts: [attempt(), ...rows.map(() => attempt({ deliveryId }))],
        audits: [audit(), ...entries],
      }),
      received: [post(), ...rows.map(() => post({ deliveryId, content: { deliveryId, tokenId } }))],
    });
    itChecks({
      [`accepts a ${kind} with one`]: [sent([row], [entry])],
      [`reports a ${kind} without one`]: [sent([row], []), 'I11'],
      [`reports a ${kind} with two`]: [sent([row], [entry, { ...entry, id: 'aud_3' }]), 'I11'],
      [`reports one without its ${kind}`]: [sent([], [entry]), 'I11'],
    });
  }
});

describe('oracle, I11: notifications', () => {
  const state = failures(7);
  const dead = { status: 'dead_lettered', failureReason: 'retries_exhausted' };
  const finished = { ...dead, dueAt: null, nextAttemptAt: null, failingSince: SENT_AT };
  const outage = {
    ...state,
    deliveries: state.deliveries.map((row) => ({ ...row, ...finished })),
    attempts: [...state.attempts, attempt({ ordinal: 8, ...dead })],
  };
  const notified = (...notifications: NotificationRow[]) => ({
    now: snapshot({ ...outage, notifications }),
    received: [],
  });
  const correct = (differences: Partial<NotificationRow>) => ({
    now: snapshot({ notifications: [notification(differences)] }),
  });
  const one = notification({});
  const second = notification({ id: 'ntf_2' });
  const older = notification({ id: 'ntf_2', failingSince: SENT_AT - 5_000 });
  const conditions = { retentionMs: 1_000 };
  itChecks({
    'reports one for an endpoint that was not disabled': [correct({ kind: 'endpoint_disabled' }), 'I11'],
    'reports one for an endpoint without a dead letter': [correct({}), 'I11'],
    'accepts a digest': [correct({ kind: 'daily_digest', endpointId: null, failingSince: null })],
    'accepts an outage with one': [notified(one)],
    'reports an outage without one': [notified(), 'I11'],
    'reports an outage with two': [notified(one, second), 'I11'],
    'reports an outage with that of another': [notified(notification({ failingSince: SENT_AT - 1 })), 'I11'],
    'accepts one for an outage that retention removed': [{ ...notified(one, older), conditions }],
    'reports two for an outage that retention removed': [
      { ...notified(one, older, { ...older, id: 'ntf_3' }), conditions },
      'I11',
    ],
    'reports an outage without one beside one that retention removed': [
      { ...notified(older), conditions },
      'I11',
    ],
  });
});
