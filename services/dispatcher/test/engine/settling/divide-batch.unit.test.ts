import { NEWEST_LEVEL } from '@postrider/shared/domain/feature-level';
import {
  aDelivery,
  anAttemptObservation,
  anEndpoint,
  answered,
  idFor,
  later,
} from '@postrider/shared/testing/builders';
import { fixedFeatureLevel } from '@postrider/shared/testing/fixed-feature-level';
import { expect } from 'chai';
import { divideBatch } from '../../../src/engine/settling/divide-batch.js';
import { createLatestStreaks } from '../../../src/engine/settling/latest-streaks.js';
import type { PendingObservation } from '../../../src/engine/settling/pending-observation.js';
import { aJob } from '../builders.js';

const NAMES = ['first', 'second', 'third'];

/** A success of a delivery to the endpoint of this name. */
function aSuccess(name: string): PendingObservation {
  const [deliveryId, endpointId] = [idFor('delivery', name), idFor('endpoint', name)];
  return {
    job: aJob(),
    observation: anAttemptObservation({ deliveryId, endpointId, outcome: answered(200) }),
    known: { delivery: aDelivery({ id: deliveryId, endpointId }), endpoint: anEndpoint({ id: endpointId }) },
    eventId: null,
  };
}

describe('divideBatch', () => {
  for (const owned of [
    [later(1), later(2), later(3)],
    [later(3), later(1), later(2)],
    [later(2), later(3), later(1)],
  ]) {
    it('has attempts stored alone before the first of their endpoints may have another owner', () => {
      const until = new Map(NAMES.map((name, index) => [idFor('endpoint', name) as string, owned[index]!]));
      const { alone, together } = divideBatch(NAMES.map(aSuccess), {
        latestStreaks: createLatestStreaks(),
        featureLevel: fixedFeatureLevel(NEWEST_LEVEL),
        ownedUntil: (endpointId) => until.get(endpointId) ?? null,
      });
      expect(alone.entries).to.have.length(3);
      expect(alone.until).to.deep.equal(later(1));
      expect(together).to.deep.equal([]);
    });
  }

  // Regression: such a success did not reset the failures that another process had counted meanwhile.
  it('has an attempt stored in a transaction if its endpoint has moved to another process and back', () => {
    const moved = { ...aSuccess('first'), job: { ...aJob(), hasMoved: true } };
    const stayed = aSuccess('second');
    const { alone, together } = divideBatch([moved, stayed], {
      latestStreaks: createLatestStreaks(),
      featureLevel: fixedFeatureLevel(NEWEST_LEVEL),
      ownedUntil: () => later(1),
    });
    expect(alone.entries).to.deep.equal([stayed]);
    expect(together).to.deep.equal([moved]);
  });
});
