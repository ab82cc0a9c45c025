import type { EndpointFields } from '@postrider/shared/domain/endpoint';
import type { StoredFilter } from '@postrider/shared/domain/event-filter';
import { anEndpoint, later } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { verifyEndpoint } from '../../src/verify/verify-endpoint.js';

describe('verification of an endpoint', () => {
  const damaged: EndpointFields = { ...anEndpoint(), filter: '{' as StoredFilter };

  it('fails if no delivery to it can be planned', () => {
    expect(() => verifyEndpoint(damaged)).to.throw();
  });

  // Regression: an endpoint that was deleted because it was damaged was reported until its last delivery expired.
  it('does not plan deliveries to a deleted one', () => {
    expect(verifyEndpoint({ ...damaged, deletedAt: later(0), secrets: null })).to.deep.equal([]);
  });
});
