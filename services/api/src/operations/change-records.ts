import type { AuditAction, AuditEvent } from '@postrider/shared/domain/audit-event';
import type { StreakChange } from '@postrider/shared/domain/delivery';
import type { EventType } from '@postrider/shared/domain/event-type';
import { domainEvent } from '@postrider/shared/events/domain-event';
import type { OwnFields } from '@postrider/shared/events/event-payloads';
import { eventRecord } from '@postrider/shared/outbox/record';
import type { OutboxRecord } from '@postrider/shared/ports/outbox';
import type { AuditContext } from './call.js';
import type { Deps } from './deps.js';

interface AuditFacts {
  readonly action: AuditAction;
  readonly target: AuditEvent['target'];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly at: Date;
  readonly streak?: StreakChange | null;
}

/** The audit entry of a change. */
export function auditEntry(
  { workspace, actor, source }: Pick<AuditContext, 'workspace' | 'actor' | 'source'>,
  newId: Deps['newId'],
  { at, streak = null, ...facts }: AuditFacts,
): AuditEvent {
  return {
    ...facts,
    id: newId('audit', at),
    workspaceId: workspace.id,
    actor,
    source,
    createdAt: at,
    streak,
  };
}

interface ChangeFacts<T extends EventType> extends Pick<AuditFacts, 'target' | 'metadata' | 'at'> {
  readonly type: T;
  /** The fields of this event type in addition to the common ones. */
  readonly own: OwnFields<T>;
}

/** The audit entry and the domain event, of the same name, of a change that webhooks are notified of. The entry names the event. */
export function changeRecords<T extends EventType>(
  context: AuditContext,
  newId: Deps['newId'],
  { type, own, metadata, ...facts }: ChangeFacts<T>,
): { audit: AuditEvent[]; outbox: OutboxRecord[] } {
  const eventId = newId('event', facts.at);
  const event = domainEvent({
    type,
    id: eventId,
    workspace: context.workspace,
    occurredAt: facts.at,
    own,
  });
  return {
    audit: [auditEntry(context, newId, { ...facts, metadata: { ...metadata, eventId }, action: type })],
    outbox: [eventRecord(event, context.traceId, context.spanId)],
  };
}
