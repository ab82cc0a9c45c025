import { expect } from 'chai';
import {
  attempt,
  audit,
  DELIVERY,
  ENDPOINT,
  endpoint,
  evidence,
  failures,
  post,
  row,
  SENT_AT,
  snapshot,
} from '../evidence-builders.js';
import { broken, brokenNow } from '../judged.js';

const SENDS = {
  replay: {
    row: row({ id: 'whd_2', replayedFrom: DELIVERY }),
    audit: audit({ id: 'aud_2', action: 'webhook.delivery_replayed', targetId: DELIVERY, madeId: 'whd_2' }),
  },
  test: {
    row: row({ id: 'whd_2', eventType: 'webhook.test_event', tokenId: null }),
    audit: audit({ id: 'aud_2', action: 'webhook.test_event_sent', targetId: ENDPOINT, madeId: 'whd_2' }),
  },
};

describe('the oracle on causes (I11)', () => {
  it('sees what was told twice, not at all, or promised and not published', () => {
    expect(broken(evidence({ now: snapshot({ audits: [audit(), audit({ id: 'aud_2' })] }) }))).to.deep.equal([
      'I11',
    ]);
    expect(broken(evidence({ now: snapshot({ audits: [] }) }))).to.deep.equal(['I11']);
    expect(broken(evidence({ now: snapshot({ outbox: ['evt_1'] }) }))).to.deep.equal(['I11']);
  });

  for (const [kind, made] of Object.entries(SENDS))
    it(`sees a ${kind} without its one audit entry, and an entry without its ${kind}`, () => {
      const { tokenId } = made.row;
      const judged = (rows: ReturnType<typeof row>[], audits: ReturnType<typeof audit>[]) =>
        brokenNow(
          evidence({
            now: snapshot({
              rows: [row(), ...rows],
              attempts: [attempt(), ...rows.map(({ id }) => attempt({ deliveryId: id }))],
              audits: [audit(), ...audits],
            }),
            received: [
              post(),
              ...rows.map(({ id }) => post({ deliveryId: id, said: { deliveryId: id, tokenId } })),
            ],
          }),
        );
      expect(judged([made.row], [made.audit])).to.deep.equal([]);
      expect(judged([made.row], [])).to.deep.equal(['I11']);
      expect(judged([made.row], [made.audit, { ...made.audit, id: 'aud_3' }])).to.deep.equal(['I11']);
      expect(judged([], [made.audit])).to.deep.equal(['I11']);
    });

  it('sees a notification of an endpoint that was neither disabled nor buried anything', () => {
    for (const kind of ['endpoint_disabled', 'endpoint_stopped_receiving']) {
      const told = { id: 'ntf_1', kind, endpointId: ENDPOINT, failingSince: SENT_AT };
      expect(brokenNow(evidence({ now: snapshot({ notifications: [told] }) })), kind).to.deep.equal(['I11']);
    }
    const digest = { id: 'ntf_1', kind: 'daily_digest', endpointId: null, failingSince: null };
    expect(brokenNow(evidence({ now: snapshot({ notifications: [digest] }) }))).to.deep.equal([]);
  });

  describe('in outages that buried deliveries', () => {
    const { rows, attempts } = failures(7);
    const parts = {
      rows: rows.map((one) => ({
        ...one,
        status: 'dead_lettered',
        failureReason: 'retries_exhausted',
        dueAt: null,
        nextAttemptAt: null,
        failingSince: SENT_AT,
      })),
      attempts: [
        ...attempts,
        attempt({ ordinal: 8, status: 'dead_lettered', failureReason: 'retries_exhausted' }),
      ],
      endpoints: [endpoint({ streak: 7, streakVersion: 7 })],
    };
    const told = (id: string, failingSince: number) => ({
      id,
      kind: 'endpoint_stopped_receiving',
      endpointId: ENDPOINT,
      failingSince,
    });
    const judged = (notifications: ReturnType<typeof told>[], retentionMs: number | null = null) =>
      brokenNow(
        evidence({
          now: snapshot({ ...parts, notifications }),
          received: [],
          circumstances: { retentionMs },
        }),
      );

    it('sees one that was not announced, announced twice, or is another one', () => {
      expect(judged([told('ntf_1', SENT_AT)])).to.deep.equal([]);
      expect(judged([])).to.deep.equal(['I11']);
      expect(judged([told('ntf_1', SENT_AT), told('ntf_2', SENT_AT)])).to.deep.equal(['I11']);
      expect(judged([told('ntf_1', SENT_AT - 1)])).to.deep.equal(['I11']);
    });

    it('allows one whose deliveries are removed, but not twice', () => {
      const older = SENT_AT - 5_000;
      expect(judged([told('ntf_1', SENT_AT), told('ntf_2', older)], 1_000)).to.deep.equal([]);
      expect(
        judged([told('ntf_1', SENT_AT), told('ntf_2', older), told('ntf_3', older)], 1_000),
      ).to.deep.equal(['I11']);
      expect(judged([told('ntf_2', older)], 1_000)).to.deep.equal(['I11']);
    });
  });
});
