import { expect } from 'chai';
import {
  attempt,
  audit,
  DELIVERY,
  delivery,
  ENDPOINT,
  failures,
  notification,
  post,
  replayAudit,
  SENT_AT,
  snapshot,
  violated,
  violatedAtEnd,
} from '../builders.js';
import type { AuditRow, DeliveryRow, NotificationRow } from '../snapshot.js';

const SENDS = {
  replay: { row: delivery({ id: 'whd_2', replayedFrom: DELIVERY }), entry: replayAudit('whd_2') },
  test: {
    row: delivery({ id: 'whd_2', eventType: 'webhook.test_event', tokenId: null }),
    entry: { ...replayAudit('whd_2'), action: 'webhook.test_event_sent', targetId: ENDPOINT },
  },
};

describe('oracle, I11: audit entries', () => {
  it('reports an event with two audit entries, with none, or that was not published', () => {
    for (const parts of [
      { audits: [audit(), audit({ id: 'aud_2' })] },
      { audits: [] },
      { outbox: ['evt_1'] },
    ])
      expect(violatedAtEnd({ now: snapshot(parts) }), JSON.stringify(parts)).to.deep.equal(['I11']);
  });

  for (const [kind, { row, entry }] of Object.entries(SENDS)) {
    const { id, tokenId } = row;
    const violatedBy = (rows: DeliveryRow[], entries: AuditRow[]) =>
      violated({
        now: snapshot({
          deliveries: [delivery(), ...rows],
          attempts: [attempt(), ...rows.map(() => attempt({ deliveryId: id }))],
          audits: [audit(), ...entries],
        }),
        received: [post(), ...rows.map(() => post({ deliveryId: id, content: { deliveryId: id, tokenId } }))],
      });

    it(`reports a ${kind} without exactly one audit entry, and an entry without its ${kind}`, () => {
      expect(violatedBy([row], [entry])).to.deep.equal([]);
      expect(violatedBy([row], [])).to.deep.equal(['I11']);
      expect(violatedBy([row], [entry, { ...entry, id: 'aud_3' }])).to.deep.equal(['I11']);
      expect(violatedBy([], [entry])).to.deep.equal(['I11']);
    });
  }
});

describe('oracle, I11: notifications', () => {
  const [state] = failures(7).deliveries;
  const dead = {
    status: 'dead_lettered',
    failureReason: 'retries_exhausted',
    dueAt: null,
    nextAttemptAt: null,
    failingSince: SENT_AT,
  };
  const outage = {
    ...failures(7),
    deliveries: [delivery({ ...state, ...dead })],
    attempts: [
      ...failures(7).attempts,
      attempt({ ordinal: 8, status: 'dead_lettered', failureReason: 'retries_exhausted' }),
    ],
  };
  const violatedBy = (notifications: NotificationRow[], retentionMs: number | null = null) =>
    violated({ now: snapshot({ ...outage, notifications }), received: [], conditions: { retentionMs } });
  const second = notification({ id: 'ntf_2' });
  const older = notification({ id: 'ntf_2', failingSince: SENT_AT - 5_000 });

  it('reports one for an endpoint that was not disabled and has no dead letter', () => {
    for (const kind of ['endpoint_disabled', 'endpoint_stopped_receiving'])
      expect(violated({ now: snapshot({ notifications: [notification({ kind })] }) }), kind).to.deep.equal([
        'I11',
      ]);
    const digest = notification({ kind: 'daily_digest', endpointId: null, failingSince: null });
    expect(violated({ now: snapshot({ notifications: [digest] }) })).to.deep.equal([]);
  });

  it('reports an outage with dead letters and no notification, two, or that of another outage', () => {
    expect(violatedBy([notification({})])).to.deep.equal([]);
    expect(violatedBy([])).to.deep.equal(['I11']);
    expect(violatedBy([notification({}), second])).to.deep.equal(['I11']);
    expect(violatedBy([notification({ failingSince: SENT_AT - 1 })])).to.deep.equal(['I11']);
  });

  it('allows one for an outage whose dead letters retention removed, but not two', () => {
    expect(violatedBy([notification({}), older], 1_000)).to.deep.equal([]);
    expect(violatedBy([notification({}), older, { ...older, id: 'ntf_3' }], 1_000)).to.deep.equal(['I11']);
    expect(violatedBy([older], 1_000)).to.deep.equal(['I11']);
  });
});
