import type { Endpoint, LiveEndpoint } from '@postrider/shared/domain/endpoint';
import { Refusal } from '../domain/refusal.js';
import type { EndpointReads } from '../ports/reads.js';

/** @throws Refusal `EndpointNotFound`, also for an endpoint that was deleted or belongs to another workspace */
export async function findLiveEndpoint(
  endpoints: Pick<EndpointReads, 'find'>,
  workspaceId: string,
  id: string,
): Promise<LiveEndpoint> {
  const endpoint = await endpoints.find(workspaceId, id);
  if (endpoint === null || !isLive(endpoint)) throw endpointNotFound();
  return endpoint;
}

export function endpointNotFound(): Refusal {
  return new Refusal('EndpointNotFound', 'This workspace has no such webhook endpoint.');
}

/** @throws Refusal `EndpointDisabled`: replays and test events are not sent to a disabled endpoint */
export function refuseDisabled(endpoint: Endpoint): void {
  if (endpoint.enabled) return;
  throw new Refusal(
    'EndpointDisabled',
    'The endpoint is disabled. Enable it first: PATCH it with {"enabled": true}.',
  );
}

function isLive(endpoint: Endpoint): endpoint is LiveEndpoint {
  return endpoint.deletedAt === null && endpoint.secrets !== null;
}
