import { expect } from 'chai';
import {
  attempt,
  audit,
  ENDPOINT,
  endpoint,
  evidence,
  facts,
  failures,
  post,
  row,
  SENT_AT,
  snapshot,
} from '../evidence-builders.js';
import { broken, brokenNow } from '../judged.js';

const streakOf = (streak: number, streakVersion: number) => [endpoint({ streak, streakVersion })];

describe('the oracle sees in streaks (I3)', () => {
  const { rows, attempts } = failures(2);
  it('a change too many: a failure that was counted twice', () => {
    const received = [post(), post({ at: SENT_AT + 1_000 })];
    const now = snapshot({ rows, attempts, endpoints: streakOf(3, 3) });
    expect(brokenNow(evidence({ now, received }))).to.deep.equal(['I3']);
  });

  it('a fork: two attempts that followed on the same streak', () => {
    const forked = attempts.map((one) => ({ ...one, streak: { version: 1, before: 0, after: 1 } }));
    const now = snapshot({ rows, attempts: forked, endpoints: streakOf(1, 1) });
    expect(brokenNow(evidence({ now }))).to.include('I3');
  });

  it('a failure that was not counted', () => {
    const uncounted = attempts.map((one) => ({ ...one, streak: null }));
    const now = snapshot({ rows, attempts: uncounted });
    expect(brokenNow(evidence({ now }))).to.include('I3');
  });

  it('a disabling that was not audited, or audited twice', () => {
    const many = Array.from({ length: 20 }, (_, index) => `whd_${index}`);
    const [status, failureReason] = ['failed_permanent', 'http_status'];
    const answer = { failureReason, httpStatus: 404 };
    const parts = {
      rows: many.map((id) => row({ status, failureReason, id, tokenId: null, lastAttempt: facts(answer) })),
      attempts: many.map((deliveryId, index) =>
        attempt({
          status,
          ...answer,
          deliveryId,
          streak: { version: index + 1, before: index, after: index + 1 },
        }),
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
    expect(judged([])).to.deep.equal(['I3', 'I11']);
    expect(judged([disabled, { ...disabled, id: 'aud_3' }])).to.deep.equal(['I3', 'I11']);
  });

  it('a success that did not set it back', () => {
    const earlier = snapshot({ rows, attempts, endpoints: streakOf(2, 2) });
    const second = { id: 'whd_2', tokenId: 'tok_2' };
    const judged = (streak: ReturnType<typeof attempt>['streak'], after: ReturnType<typeof streakOf>) =>
      brokenNow(
        evidence({
          before: earlier,
          now: snapshot({
            rows: [...rows, row(second)],
            attempts: [...attempts, attempt({ deliveryId: 'whd_2', streak })],
            endpoints: after,
          }),
          received: [
            post(),
            post({ at: SENT_AT + 1_000 }),
            post({ deliveryId: 'whd_2', said: { deliveryId: 'whd_2', tokenId: 'tok_2' } }),
          ],
        }),
      );
    expect(judged({ version: 3, before: 2, after: 0 }, streakOf(0, 3))).to.deep.equal([]);
    expect(judged(null, streakOf(2, 2))).to.deep.equal(['I3']);
  });

  it('one that went back to an earlier change', () => {
    const earlier = snapshot({ endpoints: streakOf(0, 2) });
    expect(brokenNow(evidence({ before: earlier }))).to.deep.equal(['I3']);
  });

  it('what remains of a chain whose older deliveries were removed', () => {
    const kept = attempts.map((one, index) => ({
      ...one,
      streak: { version: index + 8, before: index + 3, after: index + 4 },
    }));
    const judged = (parts: Parameters<typeof snapshot>[0]) =>
      brokenNow(
        evidence({
          now: snapshot({ rows, attempts: kept, ...parts }),
          received: [post(), post({ at: SENT_AT + 1_000 })],
          circumstances: { retentionMs: 1_000 },
        }),
      );
    expect(judged({ endpoints: streakOf(5, 9) })).to.deep.equal([]);
    expect(judged({ endpoints: streakOf(0, 12) })).to.deep.equal([]);
    expect(judged({ endpoints: streakOf(5, 8) })).to.deep.equal(['I3']);
    expect(judged({ endpoints: streakOf(4, 9) })).to.deep.equal(['I3']);
    const fork = kept.map((one) => ({ ...one, streak: { version: 8, before: 3, after: 4 } }));
    expect(judged({ endpoints: streakOf(4, 8), attempts: fork })).to.deep.equal(['I3']);
  });
});
