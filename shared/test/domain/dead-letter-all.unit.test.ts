import { expect } from 'chai';
import { deadLetter, deadLetterAll } from '../../src/domain/dead-letter.js';
import type { Delivery } from '../../src/domain/delivery.js';
import {
  aFailedDelivery,
  aFailingEndpoint,
  ENDPOINT_ID,
  idFor,
  later,
  NOON,
} from '../../src/testing/builders.js';

const exhausted = (name: string) =>
  aFailedDelivery(7, { id: idFor('delivery', name), failingSince: later(-60_000) });
const letterOf = ({ id }: Delivery) => ({ deliveryId: id, endpointId: ENDPOINT_ID });

describe('deadLetterAll', () => {
  const [one, other] = [exhausted('one'), exhausted('other')];
  const early = aFailedDelivery(6, { id: idFor('delivery', 'early') });
  const endpoint = aFailingEndpoint(9);
  const stored = {
    deliveries: new Map([one, other, early].map((row) => [row.id, row])),
    endpoints: new Map([[ENDPOINT_ID, endpoint]]),
  };

  it('settles each dead letter as deadLetter does', () => {
    const letters = [one, early, other, exhausted('gone')].map(letterOf);
    expect(deadLetterAll(stored, letters, NOON)).to.deep.equal([
      deadLetter(one, endpoint, NOON),
      null,
      deadLetter(other, endpoint, NOON),
      null,
    ]);
  });

  it('settles a delivery once when it has two dead letters', () => {
    const letters = [one, other, one].map(letterOf);
    expect(deadLetterAll(stored, letters, NOON).map((settlement) => settlement !== null)).to.deep.equal([
      true,
      true,
      false,
    ]);
  });

  it('returns the same result when it runs twice', () => {
    const letters = [one, one].map(letterOf);
    expect(deadLetterAll(stored, letters, NOON)).to.deep.equal(deadLetterAll(stored, letters, NOON));
  });

  it('gives all deliveries of an outage the same notification id', () => {
    const ids = deadLetterAll(stored, [one, other].map(letterOf), NOON).map(
      (settlement) => settlement?.notification.id,
    );
    expect(new Set(ids).size).to.equal(1);
  });
});
