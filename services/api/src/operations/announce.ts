import type { AuditEvent } from '@postrider/shared/domain/audit-event';
import type { EventType } from '@postrider/shared/domain/event-type';
import { domainEvent } from '@postrider/shared/events/domain-event';
import type { OwnFields } from '@postrider/shared/events/event-payloads';
import { eventRecord } from '@postrider/shared/outbox/record';
import type { OutboxRecord } from '@postrider/shared/ports/outbox';
import { audited } from './audit.js';
import type { AuditContext } from './call.js';
import type { Deps } from './deps.js';

interface Announced<T extends EventType> {
  readonly type: T;
  readonly target: AuditEvent['target'];
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The fields that this event has besides the common ones. */
  readonly own: OwnFields<T>;
  readonly at: Date;
}

/** What a change that webhooks can tell of leaves behind: an audit entry and a domain event of the same name. */
export function announce<T extends EventType>(
  context: AuditContext,
  newId: Deps['newId'],
  { type, target, metadata, own, at }: Announced<T>,
): { audit: AuditEvent[]; outbox: OutboxRecord[] } {
  const event = domainEvent({
    type,
    id: newId('event', at),
    workspace: context.workspace,
    occurredAt: at,
    own,
  });
  return {
    audit: [audited(context, newId, { action: type, target, metadata, at })],
    outbox: [eventRecord(event, context.traceId, context.spanId)],
  };
}
