import { anEndpoint, later, NOON } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { type Absence, type EventFacts, explainAbsence } from '../../src/domain/explain-absence.js';

const TYPE = 'billing.plan_changed';
const FILTER = JSON.stringify({ plan: ['team'] });
const EARLY = later(-60_000);
const event = (matches: boolean | null): EventFacts => ({
  eventType: TYPE,
  moment: NOON,
  payload: matches === null ? null : { matches: () => matches },
});
const endpoint = (overrides: Parameters<typeof anEndpoint>[0]) =>
  anEndpoint({ createdAt: EARLY, eventTypes: [TYPE], ...overrides });
const FULL = {
  enabled: false,
  disabledReason: 'operator',
  disabledAt: EARLY,
  holding: { since: EARLY, rows: 10, missed: 1 },
} as const;

/** Each way in which an outcome is decided from settings that may have been different when the event happened. */
const BY_SETTINGS: readonly (readonly [string, Absence, Parameters<typeof anEndpoint>[0], boolean | null])[] =
  [
    ['does not subscribe', 'not_subscribed', { eventTypes: ['api_token.created'] }, true],
    [
      'has subscribed since a later time',
      'not_subscribed',
      { subscriptions: [{ eventType: TYPE, since: later(60_000) }] },
      true,
    ],
    ['has a filter that excludes it', 'filtered', { filter: FILTER }, false],
    ['has a filter that may exclude it', 'filtered', { filter: FILTER }, null],
    ['was disabled, and nothing is held', 'missed', { enabledSince: later(60_000) }, true],
    [
      'was disabled, nothing is held, and has a filter',
      'missed',
      { enabledSince: later(60_000), filter: FILTER },
      null,
    ],
    ['was disabled, and too much was held', 'missed', FULL, true],
    ['was disabled, too much was held, and has a filter', 'missed', { ...FULL, filter: FILTER }, null],
    ['was disabled, too much was held, and was disabled again', 'missed', disabledAgain([EARLY]), true],
    ['was disabled, not too much was held, and was disabled again', 'unknown', disabledAgain([]), true],
    [
      'was disabled while too much was held in another period',
      'unknown',
      disabledAgain([later(-90_000)]),
      true,
    ],
    ['would get it', 'unknown', {}, true],
  ];

/** An endpoint that was disabled when the event happened, enabled a minute later, and disabled again, with too much held. */
function disabledAgain(missedPeriods: readonly Date[]): Parameters<typeof anEndpoint>[0] {
  const [enabledAt, disabledAt] = [later(60_000), later(120_000)];
  return {
    enabled: false,
    disabledReason: 'operator',
    enabledSince: enabledAt,
    disabledAt,
    lastPeriod: { since: EARLY, enabledSince: EARLY },
    holding: { since: disabledAt, rows: 10, missed: 1 },
    missedPeriods,
  };
}

describe('explainAbsence', () => {
  for (const [what, outcome, overrides, matches] of BY_SETTINGS) {
    it(`says that current settings were evaluated for an endpoint that ${what}`, () => {
      const explained = explainAbsence(endpoint(overrides), event(matches), null);
      expect(explained.outcome).to.equal(outcome);
      expect(explained.detail).to.match(/\b(With its current settings|its current filter|now)\b/);
    });
  }

  it('says that it is not known whether the event matches the current filter of an endpoint that missed it', () => {
    const { detail } = explainAbsence(endpoint({ ...FULL, filter: FILTER }), event(null), null);
    expect(detail).to.equal(
      'With its current settings, it subscribes to the type. It was disabled then, and already had as many held deliveries as possible. Whether the event matches its current filter is not known.',
    );
  });

  it('mentions no settings where facts decide', () => {
    const replay = { id: 'whd_1', status: 'delivered' } as unknown as Parameters<typeof explainAbsence>[2];
    const decided = [
      explainAbsence(endpoint({}), null, null),
      explainAbsence(endpoint({ deletedAt: later(1_000) }), event(true), null),
      explainAbsence(endpoint({}), event(true), replay),
      explainAbsence(endpoint({ createdAt: later(60_000) }), event(true), null),
    ];
    expect(decided.map(({ outcome }) => outcome)).to.deep.equal([
      'unknown',
      'deleted',
      'unknown',
      'created_later',
    ]);
    for (const { detail } of decided) expect(detail).not.to.match(/settings|filter/);
  });
});
