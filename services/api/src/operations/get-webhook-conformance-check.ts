import type * as wire from '../contract/conformance-check.js';
import { Refusal } from '../domain/refusal.js';
import { showConformanceCheck } from '../views/conformance-check.js';
import type { Call } from './call.js';
import type { Deps } from './deps.js';

export interface CheckOfEndpoint {
  readonly endpointId: string;
  readonly checkId: string;
}

export function getWebhookConformanceCheck({
  conformanceChecks,
  clock,
}: Pick<Deps, 'conformanceChecks' | 'clock'>) {
  return async (
    { workspace }: Call,
    { endpointId, checkId }: CheckOfEndpoint,
  ): Promise<wire.ConformanceCheck> => {
    const check = await conformanceChecks.find(workspace.id, checkId);
    if (check === null || check.endpointId !== endpointId) {
      throw new Refusal(
        'ConformanceCheckNotFound',
        'This endpoint has no such conformance check, or it was removed after 30 days.',
      );
    }
    return showConformanceCheck(check, clock.now());
  };
}
