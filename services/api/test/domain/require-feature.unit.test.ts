import { expect } from 'chai';
import { createRequireFeature } from '../../src/domain/require-feature.js';

describe('requireFeature', () => {
  it('accepts a feature that every process understands', () => {
    expect(() => createRequireFeature(() => true)('endpointFilters')).to.not.throw();
  });

  it('refuses another one by name, with what to do', () => {
    expect(() => createRequireFeature(() => false)('endpointFilters')).to.throw(
      'UpgradeInProgress: Filters can be used once every process runs the new version, and a minute has passed. ' +
        'Finish the upgrade, then try again.',
    );
  });
});
