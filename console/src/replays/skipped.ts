import type { components } from '@postrider/client';
import { texts } from '../texts/en.js';

type Skipping = Pick<components['schemas']['ReplayJob'], 'skipped'>;
type Reason = keyof Skipping['skipped'];

const REASONS = Object.keys(texts.replays.skippedReasons) as Reason[];

/** How many deliveries a job skipped, or would skip, for any reason. */
export function skippedOf({ skipped }: Skipping): number {
  return Object.values(skipped).reduce((sum, count) => sum + count, 0);
}

/** The reasons that occurred, each with its count. */
export function skippedFacts({ skipped }: Skipping): readonly (readonly [string, string])[] {
  return REASONS.filter((reason) => skipped[reason] > 0).map((reason) => [
    texts.replays.skippedReasons[reason],
    skipped[reason].toLocaleString(texts.language),
  ]);
}
