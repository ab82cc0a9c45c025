import { aDelivery, aLastAttempt, later, NOON } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { countDeadLetters } from '../src/count-dead-letters.js';

describe('counting dead letters', () => {
  const ended = aDelivery({
    status: 'dead_lettered',
    attempts: 7,
    lastAttempt: aLastAttempt({ ordinal: 7 }),
  });
  const counted = (...deliveries: (typeof ended)[]) => {
    const fields: string[][] = [];
    const add = (_endpoint: unknown, steps: readonly { readonly field: string }[]) =>
      void fields.push(steps.map(({ field }) => field));
    countDeadLetters({ add }, deliveries, later(60_000));
    return fields;
  };

  it('counts each as ended instead of failed', () => {
    expect(counted(ended)).to.deep.equal([['deadLettered', 'failed']]);
  });

  // Regression: the whole group was reported as rejected by the database, and its outcomes were not published.
  it('leaves out a damaged row, and counts the others', () => {
    const withoutCreation = { ...ended, createdAt: null as never };
    const withoutAttempt = { ...ended, lastAttempt: { ...aLastAttempt(), attemptedAt: `${NOON}` as never } };
    expect(counted(withoutCreation, withoutAttempt, ended)).to.have.length(1);
  });
});
