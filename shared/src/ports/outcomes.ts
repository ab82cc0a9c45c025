import type { DeliveryOutcome } from '../domain/delivery-outcome.js';

/** Reports outcomes to whoever watches deliveries. Best effort: it returns at once and never fails. */
export type ReportOutcomes = (outcomes: readonly DeliveryOutcome[]) => void;

export const OUTCOME_RESULTS = ['published', 'dropped'] as const;
export type OutcomeResult = (typeof OUTCOME_RESULTS)[number];

/** Counts reported outcomes by the result. */
export type CountOutcomes = (result: OutcomeResult, count: number) => void;
