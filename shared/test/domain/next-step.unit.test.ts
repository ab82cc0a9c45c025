import { expect } from 'chai';
import type { Delivery } from '../../src/domain/delivery.js';
import { type NextStep, nextStep } from '../../src/domain/next-step.js';
import type { Situation } from '../../src/domain/settle.js';
import {
  aDelivery,
  aFailedDelivery,
  anEndpoint,
  aTerminalDelivery,
  later,
  NOON,
} from '../../src/testing/builders.js';

const enabled = anEndpoint();
const disabled = anEndpoint({ enabled: false });
const deleted = anEndpoint({ deletedAt: NOON });
/** After every due time of these tests. */
const LATE = later(10 * 60_000);

const retry = (tier: number): NextStep => ({ do: 'retry', ordinal: tier + 1, tier });
const situation = (delivery: Delivery | null, endpoint: Situation['endpoint'] = enabled) => ({
  delivery,
  endpoint,
});

interface Row {
  readonly rule: string;
  readonly given: Situation;
  readonly ordinal: number;
  readonly now?: Date;
  readonly expected: NextStep;
}

const DUE = aFailedDelivery(2, { dueAt: NOON });
const NOT_DUE = aFailedDelivery(2, { dueAt: later(1) });

const TABLE: readonly Row[] = [
  {
    rule: 'returns done if the row is missing',
    given: situation(null),
    ordinal: 1,
    expected: { do: 'done' },
  },
  {
    rule: 'returns done for a message of an earlier attempt',
    given: situation(aFailedDelivery(3)),
    ordinal: 2,
    expected: { do: 'done' },
  },
  {
    rule: 'dead-letters after the seventh failure',
    given: situation(aFailedDelivery(7)),
    ordinal: 7,
    expected: { do: 'dead-letter' },
  },
  {
    rule: 'dead-letters an exhausted row for a message beyond the seventh attempt',
    given: situation(aFailedDelivery(7)),
    ordinal: 9,
    expected: { do: 'dead-letter' },
  },
  {
    rule: 'dead-letters an exhausted row before its due time',
    given: situation(aFailedDelivery(7)),
    ordinal: 7,
    now: NOON,
    expected: { do: 'dead-letter' },
  },
  {
    rule: 'dead-letters an exhausted row of a disabled endpoint',
    given: situation(aFailedDelivery(7), disabled),
    ordinal: 7,
    expected: { do: 'dead-letter' },
  },
  {
    rule: 'dead-letters an exhausted row of a deleted endpoint',
    given: situation(aFailedDelivery(7), deleted),
    ordinal: 7,
    expected: { do: 'dead-letter' },
  },
  {
    rule: 'returns done for a message of an earlier attempt of an exhausted row',
    given: situation(aFailedDelivery(7)),
    ordinal: 6,
    expected: { do: 'done' },
  },
  {
    rule: 'returns done for a message of an attempt later than the next one',
    given: situation(aFailedDelivery(2)),
    ordinal: 4,
    expected: { do: 'done' },
  },
  {
    rule: 'returns done for the second attempt before the first was made',
    given: situation(aDelivery()),
    ordinal: 2,
    expected: { do: 'done' },
  },
  {
    rule: 'waits until the row is due',
    given: situation(NOT_DUE),
    ordinal: 3,
    now: NOON,
    expected: { do: 'wait', until: later(1) },
  },
  {
    rule: 'waits until the row is due, also for a disabled endpoint',
    given: situation(NOT_DUE, disabled),
    ordinal: 3,
    now: NOON,
    expected: { do: 'wait', until: later(1) },
  },
  {
    rule: 'delivers a row that is due now',
    given: situation(DUE),
    ordinal: 3,
    now: NOON,
    expected: { do: 'deliver', delivery: DUE, endpoint: enabled },
  },
  {
    rule: 'delivers a new row',
    given: situation(aDelivery()),
    ordinal: 1,
    expected: { do: 'deliver', delivery: aDelivery(), endpoint: enabled },
  },
  {
    rule: 'closes a due row of a disabled endpoint',
    given: situation(DUE, disabled),
    ordinal: 3,
    expected: { do: 'cancel' },
  },
  {
    rule: 'closes a due row of a deleted endpoint',
    given: situation(DUE, deleted),
    ordinal: 3,
    expected: { do: 'cancel' },
  },
  {
    rule: 'closes a due row of a missing endpoint',
    given: situation(DUE, null),
    ordinal: 3,
    expected: { do: 'cancel' },
  },
];

describe('nextStep', () => {
  for (const { rule, given, ordinal, now = LATE, expected } of TABLE) {
    it(rule, () => {
      expect(nextStep(given, ordinal, now)).to.deep.equal(expected);
    });
  }

  for (const attempts of [undefined, null, '1', Number.NaN])
    it(`takes no step for a row that has ${String(attempts)} as its number of attempts`, () => {
      const row = aDelivery({ attempts: attempts as never });
      for (const endpoint of [enabled, disabled])
        expect(() => nextStep(situation(row, endpoint), 1, LATE)).to.throw(TypeError);
    });

  for (const made of [1, 2, 3, 4, 5, 6]) {
    it(`sends the retry after failure ${made} to tier ${made}, due or not, in any state of the endpoint`, () => {
      for (const endpoint of [enabled, disabled, deleted, null]) {
        for (const now of [NOON, LATE]) {
          const step = nextStep(situation(aFailedDelivery(made), endpoint), made, now);
          expect(step).to.deep.equal(retry(made));
        }
      }
    });
  }

  for (const status of ['delivered', 'failed_permanent', 'dead_lettered'] as const) {
    it(`returns done for every message of a row that is ${status}`, () => {
      const row = aTerminalDelivery(status);
      for (let ordinal = 1; ordinal <= 9; ordinal += 1) {
        for (const endpoint of [enabled, disabled, deleted, null]) {
          expect(nextStep(situation(row, endpoint), ordinal, LATE)).to.deep.equal({ do: 'done' });
        }
      }
    });
  }
});
