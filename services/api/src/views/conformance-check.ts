import { atMoment, type ConformanceCheck } from '@postrider/shared/domain/conformance-check';
import type * as wire from '../contract/conformance-check.js';

/** A check as it is now. */
export function showConformanceCheck(stored: ConformanceCheck, now: Date): wire.ConformanceCheck {
  const { id, endpointId, status, startedAt, endedAt, results } = atMoment(stored, now);
  return {
    checkId: id,
    endpointId,
    status,
    startedAt: startedAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    results: results.map(({ got, ...result }) => ({ ...result, got: got && { ...got } })),
  };
}
