import type { Feature } from '../domain/feature-level.js';

/** The stored feature level of the installation, as this process read it last. It never falls. */
export interface FeatureLevel {
  current(): number;
  /** Whether every process of the installation understands the feature. */
  allows(feature: Feature): boolean;
}
