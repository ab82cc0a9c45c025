import type { StreamDeliveries } from '../contract/stream.js';
import { Refusal } from '../domain/refusal.js';
import type { StreamPermit, StreamQuery } from '../domain/stream-query.js';
import type { Call } from './call.js';
import type { Deps } from './deps.js';
import { refuseUnknownTypes } from './event-type-names.js';
import { endpointNotFound } from './find-endpoint.js';
import { recordStreamOpening } from './record-stream-opening.js';

type Needs = Pick<Deps, 'endpoints' | 'catalogue' | 'streamsAreOn' | 'auditTrail' | 'clock' | 'newId'>;

/** Checks what a caller wants to stream. Its connection is served outside of the operation. */
export function streamDeliveries(deps: Needs) {
  const { endpoints, catalogue, streamsAreOn } = deps;
  return async (call: Call, request: StreamDeliveries): Promise<StreamPermit> => {
    const { workspace, credential } = call;
    const { source = 'deliveries', endpointId, eventType, payload = false } = request;
    refuseUnknownTypes({ catalogue }, { eventType });
    if (source === 'events') refuseEndpoints(request, credential?.endpointIds ?? null);
    if (!streamsAreOn) {
      throw new Refusal('StreamsDisabled', 'This installation publishes no outcomes (OUTCOMES=false).');
    }
    if (endpointId !== undefined && (await endpoints.find(workspace.id, endpointId)) === null)
      throw endpointNotFound();
    const query: StreamQuery = {
      source,
      workspaceId: workspace.id,
      endpointIds: endpointId === undefined ? (credential?.endpointIds ?? null) : new Set([endpointId]),
      eventType: eventType ?? null,
      withPayload: payload,
    };
    return { query, recordOpening: () => recordStreamOpening(deps, call, query) };
  };
}

/** Events belong to the workspace, not to endpoints. */
function refuseEndpoints({ endpointId }: StreamDeliveries, limit: ReadonlySet<string> | null): void {
  if (limit !== null)
    throw new Refusal(
      'WorkspaceNotFound',
      'This portal link shows its endpoints only, not the events of the workspace.',
    );
  if (endpointId === undefined) return;
  throw Refusal.invalid({
    path: 'endpointId',
    message: 'selects deliveries; leave it out with source=events',
  });
}
