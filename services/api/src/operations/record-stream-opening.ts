import { derivedId } from '@postrider/shared/domain/id';
import { openingSpan, type StreamQuery, showsPayloads } from '../domain/stream-query.js';
import type { AuditContext } from './call.js';
import { auditEntry } from './change-records.js';
import type { Deps } from './deps.js';

type Needs = Pick<Deps, 'auditTrail' | 'clock' | 'newId'>;

/**
 * Records that a caller opened a stream with payloads, once an hour for each caller, address, source, event type and target:
 * a client that reconnects again and again adds no more entries, whichever process it reaches.
 */
export async function recordStreamOpening(
  { auditTrail, clock, newId }: Needs,
  call: AuditContext,
  query: StreamQuery,
): Promise<void> {
  if (!showsPayloads(query)) return;
  const at = clock.now();
  const { workspace, actor, source } = call;
  const [only, ...others] = query.endpointIds ?? [];
  const target =
    only !== undefined && others.length === 0
      ? ({ type: 'endpoint', id: only } as const)
      : ({ type: 'workspace', id: workspace.id } as const);
  const opening = [
    workspace.id,
    actor.type,
    actor.id,
    source?.address,
    query.source,
    query.eventType,
    target.id,
  ];
  const id = derivedId('audit', openingSpan(at), `stream opened ${JSON.stringify(opening)}`);
  const entry = auditEntry(call, newId, {
    action: 'webhook.stream_opened',
    target,
    metadata: { source: query.source, eventType: query.eventType },
    at,
  });
  await auditTrail.recordOnce({ ...entry, id });
}
