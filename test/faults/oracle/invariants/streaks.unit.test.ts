import { expect } from 'chai';
import {
  attempt,
  audit,
  delivery,
  ENDPOINT,
  endpoint,
  failures,
  notification,
  post,
  result,
  SENT_AT,
  type SnapshotParts,
  snapshot,
  violated,
  violatedAtEnd,
} from '../builders.js';
import type { AuditRow, StreakChange } from '../snapshot.js';

const withStreak = (streak: number, streakVersion: number) => [endpoint({ streak, streakVersion })];

describe('oracle, I3: failure streaks', () => {
  const state = failures(2);
  const received = [post(), post({ at: SENT_AT + 1_000 })];
  const violatedBy = (parts: SnapshotParts, retentionMs: number | null = null) =>
    violated({ now: snapshot({ ...state, ...parts }), received, conditions: { retentionMs } });

  it('reports a failure that was counted twice', () => {
    expect(violatedBy({ endpoints: withStreak(3, 3) })).to.deep.equal(['I3']);
  });

  it('reports two attempts that changed the same streak', () => {
    const attempts = state.attempts.map((one) => ({ ...one, streak: { version: 1, before: 0, after: 1 } }));
    expect(violatedBy({ attempts, endpoints: withStreak(1, 1) })).to.deep.equal(['I3']);
  });

  it('reports a failure that was not counted', () => {
    const attempts = state.attempts.map((one) => ({ ...one, streak: null }));
    expect(violatedBy({ attempts, endpoints: [endpoint()] })).to.deep.equal(['I3']);
  });

  it('reports a disabled endpoint without exactly one audit entry', () => {
    const status = 'failed_permanent';
    const answer = { failureReason: 'http_status', httpStatus: 404 };
    const many = Array.from({ length: 20 }, (_, index) => ({
      deliveryId: `whd_${index}`,
      streak: { version: index + 1, before: index, after: index + 1 },
    }));
    const now = {
      deliveries: many.map(({ deliveryId: id }) =>
        delivery({ status, failureReason: 'http_status', id, tokenId: null, lastAttempt: result(answer) }),
      ),
      attempts: many.map((one) => attempt({ status, ...answer, ...one })),
      endpoints: [endpoint({ streak: 20, streakVersion: 20, enabled: false })],
      notifications: [notification({ kind: 'endpoint_disabled', failingSince: null })],
    };
    const disabled = audit({
      id: 'aud_2',
      action: 'webhook_endpoint.disabled',
      targetId: ENDPOINT,
      reason: 'consecutive_failures',
      createdAt: SENT_AT - 6_000,
      streak: { version: 20, before: 19, after: 20 },
    });
    const violatedWith = (audits: AuditRow[]) =>
      violatedAtEnd({ events: [], received: [], now: snapshot({ ...now, audits }) });
    expect(violatedWith([disabled])).to.deep.equal([]);
    expect(violatedWith([])).to.deep.equal(['I3', 'I11']);
    expect(violatedWith([disabled, { ...disabled, id: 'aud_3' }])).to.deep.equal(['I3', 'I11']);
  });

  it('reports a success that did not reset the streak', () => {
    const content = { deliveryId: 'whd_2', tokenId: 'tok_2' };
    const violatedWith = (streak: StreakChange | null, endpoints: SnapshotParts['endpoints']) =>
      violated({
        before: snapshot(state),
        now: snapshot({
          deliveries: [...state.deliveries, delivery({ id: 'whd_2', tokenId: 'tok_2' })],
          attempts: [...state.attempts, attempt({ deliveryId: 'whd_2', streak })],
          ...(endpoints && { endpoints }),
        }),
        received: [...received, post({ deliveryId: 'whd_2', content })],
      });
    expect(violatedWith({ version: 3, before: 2, after: 0 }, withStreak(0, 3))).to.deep.equal([]);
    expect(violatedWith(null, withStreak(2, 2))).to.deep.equal(['I3']);
  });

  it('reports a streak that returned to an earlier change', () => {
    expect(violated({ before: snapshot({ endpoints: withStreak(0, 2) }) })).to.deep.equal(['I3']);
  });

  const partial = state.attempts.map((one, index) => {
    return { ...one, streak: { version: index + 8, before: index + 3, after: index + 4 } };
  });
  const fork = partial.map((one) => ({ ...one, streak: { version: 8, before: 3, after: 4 } }));
  const PARTIAL = {
    'accepts a chain that ends at the stored streak': [partial, withStreak(5, 9), []],
    'accepts a chain whose latest changes are removed too': [partial, withStreak(0, 12), []],
    'reports a change that is newer than the stored streak': [partial, withStreak(5, 8), ['I3']],
    'reports a chain that ends at another streak': [partial, withStreak(4, 9), ['I3']],
    'reports a fork': [fork, withStreak(4, 8), ['I3']],
  } as const;
  for (const [name, [attempts, endpoints, expected]] of Object.entries(PARTIAL))
    it(`${name} where retention removed earlier changes`, () => {
      expect(violatedBy({ attempts, endpoints }, 1_000)).to.deep.equal(expected);
    });
});
