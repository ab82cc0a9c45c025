import { expect } from 'chai';
import { needsNoTransaction } from '../../src/domain/needs-no-transaction.js';
import type { Observation, Situation } from '../../src/domain/settle.js';
import {
  aCancellation,
  aDelivery,
  aFailedDelivery,
  aFailingEndpoint,
  anAttemptObservation,
  anEndpoint,
  answered,
  aTerminalDelivery,
  NOON,
} from '../../src/testing/builders.js';

const SUCCESS = anAttemptObservation({ outcome: answered(200) });
const SITUATION: Situation = { delivery: aDelivery(), endpoint: anEndpoint() };

describe('needsNoTransaction', () => {
  it('is true for a success at an endpoint without failures', () => {
    expect(needsNoTransaction(SITUATION, SUCCESS)).to.equal(true);
  });

  const OTHERS: readonly (readonly [string, Partial<Situation>, Observation])[] = [
    ['a failure', {}, anAttemptObservation({ outcome: answered(503) })],
    ['a cancellation', {}, aCancellation()],
    ['a success that ends a streak', { endpoint: aFailingEndpoint(1) }, SUCCESS],
    ['a success of a recovery probe', { delivery: aDelivery({ probeOf: NOON }) }, SUCCESS],
    ['an attempt that is not the next one', { delivery: aFailedDelivery(1) }, SUCCESS],
    ['an attempt of a row that has ended', { delivery: aTerminalDelivery('failed_permanent') }, SUCCESS],
    ['a missing row', { delivery: null }, SUCCESS],
    ['a missing endpoint', { endpoint: null }, SUCCESS],
  ];
  for (const [what, change, observation] of OTHERS) {
    it(`is false for ${what}`, () => {
      expect(needsNoTransaction({ ...SITUATION, ...change }, observation)).to.equal(false);
    });
  }
});
