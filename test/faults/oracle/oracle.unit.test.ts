import { expect } from 'chai';
import type { Evidence } from './evidence.js';
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
} from './evidence-builders.js';
import { judgeFinally, judgeNow } from './judge.js';

const broken = (judged: Evidence) => [...new Set(judgeFinally(judged).map(({ invariant }) => invariant))];
const SECOND = { id: 'whd_2', hash: 'second' };
const bookkeeping = (ordinal: number) =>
  attempt({ ordinal, status: 'failed_permanent', failureReason: 'endpoint_disabled' });
const streakOf = (streak: number, streakVersion: number) => [endpoint({ streak, streakVersion })];

describe('the oracle', () => {
  it('has nothing to say about a run in which nothing went wrong', () => {
    expect(judgeNow(evidence())).to.deep.equal([]);
    expect(judgeFinally(evidence())).to.deep.equal([]);
  });

  it('has nothing to say about a delivery that has failed and is under way to its retry', () => {
    const now = snapshot({ ...failures(2), endpoints: streakOf(2, 2) });
    expect(judgeNow(evidence({ now, received: [post(), post({ at: SENT_AT + 1_000 })] }))).to.deep.equal([]);
  });

  describe('misses (I1)', () => {
    it('an event without a delivery', () => {
      expect(broken(evidence({ now: snapshot({ rows: [], attempts: [] }) }))).to.deep.equal(['I1']);
    });

    it('a delivery that has not ended when all is quiet', () => {
      const now = snapshot({ ...failures(1), endpoints: streakOf(1, 1) });
      expect(broken(evidence({ now }))).to.deep.equal(['I1']);
    });

    it('the POST of a delivery that claims to be delivered', () => {
      expect(broken(evidence({ received: [] }))).to.deep.equal(['I1']);
      expect(broken(evidence({ received: [post({ answer: null })] }))).to.deep.equal(['I1']);
    });

    it('the row of a replay that was accepted', () => {
      const replay = {
        kind: 'replay',
        deliveryId: 'whd_9',
        sourceId: DELIVERY,
        sentAt: SENT_AT,
        answeredAt: SENT_AT,
      };
      const audits = [
        audit(),
        audit({ id: 'aud_2', action: 'webhook.delivery_replayed', targetId: DELIVERY }),
      ];
      expect(
        broken(evidence({ sends: [replay as Evidence['sends'][number]], now: snapshot({ audits }) })),
      ).to.deep.equal(['I1']);
    });

    it('nothing that an endpoint is not owed: it is too young, was changed, is disabled, or wants other events', () => {
      const change = (action: string, createdAt: number) =>
        audit({ id: 'aud_2', action: `webhook_endpoint.${action}`, targetId: ENDPOINT, createdAt });
      const none = { rows: [], attempts: [] };
      for (const now of [
        snapshot({ ...none, endpoints: [endpoint({ createdAt: SENT_AT - 4_000 })] }),
        snapshot({ ...none, audits: [audit(), change('updated', SENT_AT - 3_000)] }),
        snapshot({ ...none, audits: [audit(), change('disabled', SENT_AT - 60_000)] }),
        snapshot({ ...none, endpoints: [endpoint({ eventTypes: ['billing.plan_changed'] })] }),
      ])
        expect(broken(evidence({ now }))).to.deep.equal([]);
    });
  });

  describe('sees in attempts (I2)', () => {
    const two = { attempts: 2, lastOrdinal: 2 };
    for (const [what, now] of [
      [
        'a gap',
        snapshot({ rows: [row({ ...two, lastOrdinal: 3 })], attempts: [attempt(), attempt({ ordinal: 3 })] }),
      ],
      [
        'two closing records',
        snapshot({
          rows: [row({ status: 'failed_permanent', failureReason: 'endpoint_disabled' })],
          attempts: [attempt(), bookkeeping(2), bookkeeping(3)],
        }),
      ],
      [
        'one more than seven',
        snapshot({
          rows: [row({ attempts: 8, lastOrdinal: 8 })],
          attempts: Array.from({ length: 8 }, (_, index) => attempt({ ordinal: index + 1 })),
        }),
      ],
      ['one without a delivery', snapshot({ attempts: [attempt(), attempt({ deliveryId: 'whd_2' })] })],
    ] as const)
      it(what, () => expect(judgeNow(evidence({ now })).map(({ invariant }) => invariant)).to.include('I2'));

    it('one that was changed, or has gone', () => {
      const changed = evidence({ before: snapshot({ attempts: [attempt({ hash: 'other' })] }) });
      expect(broken(changed)).to.deep.equal(['I2']);
      const gone = evidence({ before: snapshot({ attempts: [attempt(), attempt({ ordinal: 2 })] }) });
      expect(broken(gone)).to.deep.equal(['I2']);
    });
  });

  describe('sees in streaks (I3)', () => {
    const { rows, attempts } = failures(2);
    it('a change too many: a failure that was counted twice', () => {
      expect(
        judgeNow(evidence({ now: snapshot({ rows, attempts, endpoints: streakOf(3, 3) }) })).map(
          ({ invariant }) => invariant,
        ),
      ).to.deep.equal(['I3']);
    });

    it('a fork: two attempts that followed on the same streak', () => {
      const forked = attempts.map((one) => ({ ...one, streak: { version: 1, before: 0, after: 1 } }));
      const now = snapshot({ rows, attempts: forked, endpoints: streakOf(1, 1) });
      expect(judgeNow(evidence({ now })).map(({ invariant }) => invariant)).to.include('I3');
    });

    it('a failure that was not counted', () => {
      const uncounted = attempts.map((one) => ({ ...one, streak: null }));
      const now = snapshot({ rows, attempts: uncounted });
      expect(judgeNow(evidence({ now })).map(({ invariant }) => invariant)).to.include('I3');
    });

    it('a disabling that was not audited, or audited twice', () => {
      const many = Array.from({ length: 20 }, (_, index) => `whd_${index}`);
      const failed = { status: 'failed_permanent', failureReason: 'http_status' };
      const parts = {
        rows: many.map((id) => row({ ...failed, id, tokenId: null })),
        attempts: many.map((deliveryId, index) =>
          attempt({ ...failed, deliveryId, streak: { version: index + 1, before: index, after: index + 1 } }),
        ),
        endpoints: [endpoint({ streak: 20, streakVersion: 20, enabled: false })],
      };
      const disabled = audit({
        id: 'aud_2',
        action: 'webhook_endpoint.disabled',
        targetId: ENDPOINT,
        reason: 'consecutive_failures',
        createdAt: SENT_AT - 6_000,
        streak: { version: 20, before: 19, after: 20 },
      });
      const notifications = [
        { id: 'ntf_1', kind: 'endpoint_disabled', endpointId: ENDPOINT, failingSince: null },
      ];
      const judged = (audits: ReturnType<typeof audit>[]) =>
        broken(evidence({ events: [], received: [], now: snapshot({ ...parts, audits, notifications }) }));
      expect(judged([disabled])).to.deep.equal([]);
      expect(judged([])).to.deep.equal(['I3']);
      expect(judged([disabled, { ...disabled, id: 'aud_3' }])).to.deep.equal(['I3', 'I11']);
    });
  });

  it('sees what is long past due, unless a fault is just over or the endpoint gets too much (I4)', () => {
    const { rows, attempts } = failures(1);
    const now = snapshot({
      rows: rows.map((one) => ({ ...one, dueAt: SENT_AT })),
      attempts,
      endpoints: streakOf(1, 1),
      at: SENT_AT + 31_000,
    });
    const judged = (circumstances: Partial<Evidence['circumstances']>) =>
      judgeNow(evidence({ now, circumstances })).map(({ invariant }) => invariant);
    expect(judged({})).to.deep.equal(['I4']);
    expect(judged({ faultBegan: SENT_AT - 120_000, faultEnded: SENT_AT - 100_000 })).to.deep.equal(['I4']);
    expect(judged({ faultBegan: SENT_AT, faultEnded: SENT_AT + 5_000 })).to.deep.equal([]);
    expect(judged({ overloaded: new Set([ENDPOINT]) })).to.deep.equal([]);
  });

  it('sees a POST that came before its time (I5)', () => {
    const now = snapshot({ ...failures(2), endpoints: streakOf(2, 2) });
    const early = [post({ at: SENT_AT }), post({ at: SENT_AT + 400 })];
    expect(judgeNow(evidence({ now, received: early })).map(({ invariant }) => invariant)).to.deep.equal([
      'I5',
    ]);
  });

  it('sees a replay that is not verbatim (I6)', () => {
    const replay = row({ ...SECOND, replayedFrom: DELIVERY, payloadHash: 'other' });
    const now = snapshot({ rows: [row(), replay], attempts: [attempt(), attempt({ deliveryId: 'whd_2' })] });
    const received = [post(), post({ deliveryId: 'whd_2' })];
    expect(broken(evidence({ now, received }))).to.deep.equal(['I6']);
  });

  it('sees a summary that its attempts do not come to, that went back, or that has gone (I7)', () => {
    expect(broken(evidence({ now: snapshot({ rows: [row({ attempts: 2 })] }) }))).to.deep.equal(['I7']);
    const changed = snapshot({ rows: [row({ hash: 'other' })] });
    expect(broken(evidence({ before: changed }))).to.deep.equal(['I7']);
    expect(broken(evidence({ before: snapshot({ rows: [row(), row(SECOND)] }) }))).to.deep.equal(['I7']);
  });

  it('sees more repeated POSTs than disruptions explain (I8)', () => {
    const received = Array.from({ length: 6 }, (_, index) => post({ at: SENT_AT + index }));
    expect(broken(evidence({ received }))).to.deep.equal(['I8']);
    expect(broken(evidence({ received, circumstances: { disruptions: 2 } }))).to.deep.equal([]);
  });

  it('sees that healthy endpoints became slow when others fell ill (I9)', () => {
    const many = Array.from({ length: 60 }, (_, index) => index);
    const at = (index: number) => SENT_AT + index * 1_000;
    const run = (slowFrom: number) =>
      evidence({
        events: many.map((index) => ({ tokenId: `tok_${index}`, sentAt: at(index), answeredAt: at(index) })),
        received: many.map((index) =>
          post({ deliveryId: `whd_${index}`, at: at(index) + (index >= slowFrom ? 900 : 20) }),
        ),
        now: snapshot({
          at: at(100),
          rows: many.map((index) => row({ id: `whd_${index}`, tokenId: `tok_${index}` })),
          attempts: many.map((index) => attempt({ deliveryId: `whd_${index}` })),
          audits: many.map((index) => audit({ targetId: `tok_${index}` })),
        }),
        circumstances: { faultBegan: at(40), faultEnded: at(60), healthy: new Set(['/steady']) },
      });
    expect(broken(run(100))).to.deep.equal([]);
    expect(broken(run(40))).to.deep.equal(['I9']);
  });

  it('sees a POST that does not verify, or differs from the one before (I10)', () => {
    expect(broken(evidence({ received: [post({ verified: false })] }))).to.deep.equal(['I10']);
    const received = [post(), post({ bodyHash: 'other' })];
    expect(broken(evidence({ received, circumstances: { disruptions: 1 } }))).to.deep.equal(['I10']);
  });

  it('sees what was told twice, not at all, or promised and not published (I11)', () => {
    expect(broken(evidence({ now: snapshot({ audits: [audit(), audit({ id: 'aud_2' })] }) }))).to.deep.equal([
      'I11',
    ]);
    expect(broken(evidence({ now: snapshot({ audits: [] }) }))).to.deep.equal(['I11']);
    expect(broken(evidence({ now: snapshot({ outbox: ['evt_1'] }) }))).to.deep.equal(['I11']);
  });
});
