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
import { broken, brokenNow } from './judged.js';

const SECOND = { id: 'whd_2', hash: 'second' };
const bookkeeping = (ordinal: number) =>
  attempt({ ordinal, status: 'failed_permanent', failureReason: 'endpoint_disabled' });

describe('the oracle', () => {
  it('has nothing to say about a run in which nothing went wrong', () => {
    expect(judgeNow(evidence())).to.deep.equal([]);
    expect(judgeFinally(evidence())).to.deep.equal([]);
  });

  it('has nothing to say about a delivery that has failed and is under way to its retry', () => {
    const now = snapshot({ ...failures(2), endpoints: [endpoint({ streak: 2, streakVersion: 2 })] });
    expect(judgeNow(evidence({ now, received: [post(), post({ at: SENT_AT + 1_000 })] }))).to.deep.equal([]);
  });

  describe('misses (I1)', () => {
    it('an event without a delivery', () => {
      const now = snapshot({ rows: [], attempts: [] });
      expect(broken(evidence({ now, received: [] }))).to.deep.equal(['I1']);
    });

    it('a delivery that has not ended when all is quiet', () => {
      const now = snapshot({ ...failures(1), endpoints: [endpoint({ streak: 1, streakVersion: 1 })] });
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
        audit({ id: 'aud_2', action: 'webhook.delivery_replayed', targetId: DELIVERY, madeId: 'whd_9' }),
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
        expect(broken(evidence({ now, received: [] }))).to.deep.equal([]);
    });
  });

  describe('sees in attempts (I2)', () => {
    const two = { attempts: 2 };
    for (const [what, now] of [
      ['a gap', snapshot({ rows: [row(two)], attempts: [attempt(), attempt({ ordinal: 3 })] })],
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
          rows: [row({ attempts: 8 })],
          attempts: Array.from({ length: 8 }, (_, index) => attempt({ ordinal: index + 1 })),
        }),
      ],
      [
        'a second row for the same event and endpoint',
        snapshot({ rows: [row(), row(SECOND)], attempts: [attempt(), attempt({ deliveryId: 'whd_2' })] }),
      ],
      ['one without a delivery', snapshot({ attempts: [attempt(), attempt({ deliveryId: 'whd_2' })] })],
    ] as const)
      it(what, () => expect(brokenNow(evidence({ now }))).to.include('I2'));

    it('one that was changed, or has gone', () => {
      const changed = evidence({ before: snapshot({ attempts: [attempt({ hash: 'other' })] }) });
      expect(broken(changed)).to.deep.equal(['I2']);
      const gone = evidence({ before: snapshot({ attempts: [attempt(), attempt({ ordinal: 2 })] }) });
      expect(broken(gone)).to.deep.equal(['I2']);
    });
  });

  it('sees a replay that is not verbatim (I6)', () => {
    const replay = row({ ...SECOND, replayedFrom: DELIVERY, payloadHash: 'other' });
    const audits = [
      audit(),
      audit({ id: 'aud_2', action: 'webhook.delivery_replayed', targetId: DELIVERY, madeId: 'whd_2' }),
    ];
    const now = snapshot({
      rows: [row(), replay],
      attempts: [attempt(), attempt({ deliveryId: 'whd_2' })],
      audits,
    });
    const received = [post(), post({ deliveryId: 'whd_2' })];
    expect(broken(evidence({ now, received }))).to.deep.equal(['I6']);
  });

  it('sees a POST that does not verify, or differs from the one before (I10)', () => {
    expect(broken(evidence({ received: [post({ verified: false })] }))).to.deep.equal(['I10']);
    const received = [post(), post({ bodyHash: 'other' })];
    expect(
      broken(evidence({ received, circumstances: { disruptions: [{ at: SENT_AT + 60, kind: 'death' }] } })),
    ).to.deep.equal(['I10']);
  });

  it('sees a POST that has no row, went elsewhere, or tells of something else (I10)', () => {
    const death = { at: SENT_AT + 55, kind: 'death' } as const;
    const judged = (differences: Parameters<typeof post>[0]) =>
      brokenNow(
        evidence({
          received: [post(), post({ at: SENT_AT + 60, ...differences })],
          circumstances: { disruptions: [death] },
        }),
      );
    expect(judged({})).to.deep.equal([]);
    expect(judged({ deliveryId: 'whd_9' })).to.deep.equal(['I10']);
    expect(judged({ path: '/other' })).to.deep.equal(['I10']);
    expect(judged({ said: { deliveryId: DELIVERY, tokenId: 'tok_2' } })).to.deep.equal(['I10']);
    expect(judged({ said: { deliveryId: 'whd_9', tokenId: 'tok_1' } })).to.deep.equal(['I10']);
    expect(judged({ said: null })).to.deep.equal(['I10']);
  });

  it('does not miss the row of a POST that came after the look, or whose row was too old to be kept', () => {
    const strange = post({ deliveryId: 'whd_9', at: SENT_AT + 61_000 });
    expect(brokenNow(evidence({ received: [post(), strange] }))).to.deep.equal([]);
    const gone = post({ deliveryId: 'whd_9' });
    const circumstances = { retentionMs: 1_000 };
    expect(brokenNow(evidence({ received: [post(), gone], circumstances }))).to.deep.equal([]);
  });
});
