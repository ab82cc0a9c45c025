import { FEATURES, type Feature } from '@postrider/shared/domain/feature-level';
import { Refusal } from './refusal.js';

/** Refuses a request that needs a feature unless every process of the installation understands it. */
export type RequireFeature = (feature: Feature) => void;

export function createRequireFeature(allows: (feature: Feature) => boolean): RequireFeature {
  return (feature) => {
    if (allows(feature)) return;
    throw new Refusal(
      'UpgradeInProgress',
      `${FEATURES[feature].label} can be used once every process runs the new version, and a minute has passed. ` +
        'Finish the upgrade, then try again.',
    );
  };
}
