import { type AttemptFields, type DeliveryFields, isTerminal } from '@postrider/shared/domain/delivery';
import type { EndpointFields } from '@postrider/shared/domain/endpoint';
import { idFor, later } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import fc from 'fast-check';
import { differencesOf, type History, histories } from './history-under-test.js';

/** Damages one of the matching rows, chosen by a number; null when none matches. */
type Damage = (history: History, choice: number) => History | null;

function change<Key extends keyof History>(
  key: Key,
  matches: (row: History[Key][number], history: History) => boolean,
  damage: (row: History[Key][number]) => readonly History[Key][number][],
): Damage {
  return (history, choice) => {
    const rows: readonly History[Key][number][] = history[key];
    const candidates = rows.filter((row) => matches(row, history));
    const chosen = candidates[choice % Math.max(1, candidates.length)];
    if (chosen === undefined) return null;
    return { ...history, [key]: rows.flatMap((row) => (row === chosen ? damage(row) : [row])) };
  };
}
const row = (matches: (row: DeliveryFields, history: History) => boolean, to: Partial<DeliveryFields>) =>
  change('deliveries', matches, (one) => [{ ...one, ...to }]);
const attempt = (
  matches: (attempt: AttemptFields) => boolean,
  to: (attempt: AttemptFields) => readonly AttemptFields[],
) => change('attempts', matches, to);
const endpoint = (
  matches: (endpoint: EndpointFields) => boolean,
  to: (endpoint: EndpointFields) => Partial<EndpointFields>,
) => change('endpoints', matches, (one) => [{ ...one, ...to(one) }]);
const any = () => true;

const DAMAGES: Readonly<Record<string, Damage>> = {
  'a status that does not follow from the attempts': row(({ status }) => status !== 'dead_lettered', {
    status: 'dead_lettered',
    dueAt: null,
    nextAttemptAt: null,
  }),
  'a wrong reason': row(any, { failureReason: 'dns' }),
  'a wrong count of attempts': row(any, { attempts: 6.5 }),
  'a missing last attempt': row(({ lastAttempt }) => lastAttempt !== null, { lastAttempt: null }),
  'a last attempt that differs from its record': change(
    'deliveries',
    ({ lastAttempt }) => lastAttempt !== null,
    (one) => [{ ...one, lastAttempt: { ...one.lastAttempt!, httpStatus: 299 } }],
  ),
  'an unfinished delivery without a due time': row((one) => !isTerminal(one), { dueAt: null }),
  'a terminal delivery that is due': row((one) => isTerminal(one), { dueAt: later(0) }),
  'a delivery of another workspace': row(any, { workspaceId: idFor('workspace', 'other') }),
  'a missing delivery': change(
    'deliveries',
    ({ id }, { attempts }) => attempts.some(({ deliveryId }) => deliveryId === id),
    () => [],
  ),
  'a missing attempt': attempt(any, () => []),
  'an attempt whose status contradicts its outcome': attempt(
    ({ status }) => status === 'failed',
    (one) => [{ ...one, status: 'delivered' }],
  ),
  'an attempt of another workspace': attempt(any, (one) => [
    { ...one, workspaceId: idFor('workspace', 'other') },
  ]),
  'a surplus record': attempt(
    ({ status }) => status !== 'failed',
    (one) => [one, { ...one, ordinal: one.ordinal + 1, streak: null }],
  ),
  'a missing change of the streak': attempt(
    ({ streak }) => streak !== null,
    (one) => [{ ...one, streak: null }],
  ),
  'an altered change of the streak': attempt(
    ({ streak }) => streak !== null,
    (one) => [{ ...one, streak: { ...one.streak!, before: one.streak!.before + 1 } }],
  ),
  'a duplicate change of the streak': attempt(
    ({ streak }) => streak !== null && streak.version > 1,
    (one) => [{ ...one, streak: { ...one.streak!, version: one.streak!.version - 1 } }],
  ),
  'a wrong streak': endpoint(any, ({ consecutiveFailures }) => ({
    consecutiveFailures: consecutiveFailures + 1,
  })),
  'a streak version that is too high': endpoint(any, ({ streakVersion }) => ({
    streakVersion: streakVersion + 1,
  })),
  'a streak that was reset': endpoint(
    ({ streakVersion }) => streakVersion > 0,
    () => ({ streakVersion: 0, consecutiveFailures: 0, failingSince: null }),
  ),
  'an enabled endpoint with a disabled reason': endpoint(
    ({ enabled }) => enabled,
    () => ({ disabledReason: 'operator' }),
  ),
  'a missing endpoint': change('endpoints', any, () => []),
  'a missing audit entry': change(
    'audits',
    () => true,
    () => [],
  ),
  'a disabling with two audit entries': change(
    'audits',
    ({ action }) => action === 'webhook_endpoint.disabled',
    (one) => [one, { ...one, id: idFor('audit', 'again') }],
  ),
};

/** The streak of a new endpoint. */
const NEW_STREAK = {
  streakVersion: 0,
  consecutiveFailures: 0,
  failingSince: null,
  enabled: true,
  disabledReason: null,
} as const;

describe('history verifier', () => {
  it('finds no differences in histories of random observations, operator actions and dead letters', () => {
    fc.assert(
      fc.property(histories, (history) => {
        expect(differencesOf(history)).to.deep.equal([]);
      }),
      { numRuns: 100 },
    );
  });

  for (const [name, damage] of Object.entries(DAMAGES)) {
    it(`reports ${name}`, () => {
      fc.assert(
        fc.property(histories, fc.nat(1_000), (history, choice) => {
          const damaged = damage(history, choice);
          fc.pre(damaged !== null);
          expect(differencesOf(damaged)).to.not.deep.equal([]);
        }),
        { numRuns: 25 },
      );
    });
  }

  it('reports overdue deliveries and no others', () => {
    fc.assert(
      fc.property(histories, fc.integer({ min: -10_000, max: 200_000 }), (history, offset) => {
        const before = later(offset);
        const late = history.deliveries.filter(({ dueAt }) => dueAt !== null && dueAt < before);
        const found = differencesOf(history, { overdueBefore: before });
        expect(found.map(({ kind, id }) => [kind, id])).to.deep.equal(late.map(({ id }) => ['overdue', id]));
      }),
      { numRuns: 50 },
    );
  });

  it('ignores streak changes newer than its first read of the endpoint, if the endpoint reflects them later', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const earlier = history.endpoints.map((one): EndpointFields => ({ ...one, ...NEW_STREAK }));
        expect(differencesOf(history, { earlier })).to.deep.equal([]);
      }),
      { numRuns: 25 },
    );
  });
});
