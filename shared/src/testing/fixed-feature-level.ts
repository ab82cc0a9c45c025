import { FEATURES, NEWEST_LEVEL } from '../domain/feature-level.js';
import type { FeatureLevel } from '../ports/feature-level.js';

/** A feature level that tests set. */
export interface FixedFeatureLevel extends FeatureLevel {
  set(level: number): void;
}

export function fixedFeatureLevel(initial = NEWEST_LEVEL): FixedFeatureLevel {
  let level = initial;
  return {
    current: () => level,
    allows: (feature) => FEATURES[feature].level <= level,
    set: (value) => {
      level = value;
    },
  };
}
