import { type AttemptFields, type DeliveryFields, isTerminal } from '@postrider/shared/domain/delivery';
import type { EndpointFields } from '@postrider/shared/domain/endpoint';
import { idFor, later } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import fc from 'fast-check';
import { differencesOf, type History, histories } from './history-under-test.js';

/** Damages one of the things that fit, chosen by a number; null when none does. */
type Damage = (history: History, choice: number) => History | null;

function change<Key extends keyof History>(
  key: Key,
  fits: (thing: History[Key][number], history: History) => boolean,
  damage: (thing: History[Key][number]) => readonly History[Key][number][],
): Damage {
  return (history, choice) => {
    const things: readonly History[Key][number][] = history[key];
    const fitting = things.filter((thing) => fits(thing, history));
    const chosen = fitting[choice % Math.max(1, fitting.length)];
    if (chosen === undefined) return null;
    return { ...history, [key]: things.flatMap((thing) => (thing === chosen ? damage(thing) : [thing])) };
  };
}
const row = (fits: (row: DeliveryFields, history: History) => boolean, to: Partial<DeliveryFields>) =>
  change('deliveries', fits, (one) => [{ ...one, ...to }]);
const attempt = (
  fits: (attempt: AttemptFields) => boolean,
  to: (attempt: AttemptFields) => readonly AttemptFields[],
) => change('attempts', fits, to);
const endpoint = (
  fits: (endpoint: EndpointFields) => boolean,
  to: (endpoint: EndpointFields) => Partial<EndpointFields>,
) => change('endpoints', fits, (one) => [{ ...one, ...to(one) }]);
const any = () => true;

const DAMAGES: Readonly<Record<string, Damage>> = {
  'a status that the attempts do not lead to': row(({ status }) => status !== 'dead_lettered', {
    status: 'dead_lettered',
    dueAt: null,
    nextAttemptAt: null,
  }),
  'a wrong reason': row(any, { failureReason: 'dns' }),
  'a wrong count of attempts': row(any, { attempts: 6.5 }),
  'lost evidence of the last attempt': row(({ lastAttempt }) => lastAttempt !== null, { lastAttempt: null }),
  'other evidence of the last attempt': change(
    'deliveries',
    ({ lastAttempt }) => lastAttempt !== null,
    (one) => [{ ...one, lastAttempt: { ...one.lastAttempt!, httpStatus: 299 } }],
  ),
  'a row that goes on without being due': row((one) => !isTerminal(one), { dueAt: null }),
  'a row that has ended and is due': row((one) => isTerminal(one), { dueAt: later(0) }),
  'a row of another workspace': row(any, { workspaceId: idFor('workspace', 'other') }),
  'a lost row': change(
    'deliveries',
    ({ id }, { attempts }) => attempts.some(({ deliveryId }) => deliveryId === id),
    () => [],
  ),
  'a lost attempt': attempt(any, () => []),
  'an attempt that says something else': attempt(
    ({ status }) => status === 'failed',
    (one) => [{ ...one, status: 'delivered' }],
  ),
  'an attempt of another workspace': attempt(any, (one) => [
    { ...one, workspaceId: idFor('workspace', 'other') },
  ]),
  'a record too many': attempt(
    ({ status }) => status !== 'failed',
    (one) => [one, { ...one, ordinal: one.ordinal + 1, streak: null }],
  ),
  'a lost change of the streak': attempt(
    ({ streak }) => streak !== null,
    (one) => [{ ...one, streak: null }],
  ),
  'another change of the streak': attempt(
    ({ streak }) => streak !== null,
    (one) => [{ ...one, streak: { ...one.streak!, before: one.streak!.before + 1 } }],
  ),
  'a change of the streak that is told twice': attempt(
    ({ streak }) => streak !== null && streak.version > 1,
    (one) => [{ ...one, streak: { ...one.streak!, version: one.streak!.version - 1 } }],
  ),
  'a wrong streak': endpoint(any, ({ consecutiveFailures }) => ({
    consecutiveFailures: consecutiveFailures + 1,
  })),
  'a streak that has moved on': endpoint(any, ({ streakVersion }) => ({ streakVersion: streakVersion + 1 })),
  'a streak that was put back': endpoint(
    ({ streakVersion }) => streakVersion > 0,
    () => ({ streakVersion: 0, consecutiveFailures: 0, failingSince: null }),
  ),
  'an endpoint that is enabled and has a reason not to be': endpoint(
    ({ enabled }) => enabled,
    () => ({ disabledReason: 'operator' }),
  ),
  'a lost endpoint': change('endpoints', any, () => []),
  'a lost audit entry': change(
    'audits',
    () => true,
    () => [],
  ),
  'a disabling that is audited twice': change(
    'audits',
    ({ action }) => action === 'webhook_endpoint.disabled',
    (one) => [one, { ...one, id: idFor('audit', 'again') }],
  ),
};

/** What an endpoint says of its streak before anything happened. */
const UNTOUCHED = {
  streakVersion: 0,
  consecutiveFailures: 0,
  failingSince: null,
  enabled: true,
  disabledReason: null,
} as const;

describe('verifying a history', () => {
  it('finds nothing in whatever observations, operators and dead letters leave behind', () => {
    fc.assert(
      fc.property(histories, (history) => {
        expect(differencesOf(history)).to.deep.equal([]);
      }),
      { numRuns: 100 },
    );
  });

  for (const [name, damage] of Object.entries(DAMAGES)) {
    it(`tells of ${name}`, () => {
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

  it('tells of work that has been due for long, and of no other', () => {
    fc.assert(
      fc.property(histories, fc.integer({ min: -10_000, max: 200_000 }), (history, offset) => {
        const before = later(offset);
        const late = history.deliveries.filter(({ dueAt }) => dueAt !== null && dueAt < before);
        const told = differencesOf(history, { overdueBefore: before });
        expect(told.map(({ kind, id }) => [kind, id])).to.deep.equal(late.map(({ id }) => ['overdue', id]));
      }),
      { numRuns: 50 },
    );
  });

  it('leaves what happened after it saw an endpoint to the next run, as long as the endpoint knows of it', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const earlier = history.endpoints.map((one): EndpointFields => ({ ...one, ...UNTOUCHED }));
        expect(differencesOf(history, { earlier })).to.deep.equal([]);
      }),
      { numRuns: 25 },
    );
  });
});
