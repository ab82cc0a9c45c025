import type { Actor } from '@postrider/shared/domain/audit-event';
import type { Permission } from '@postrider/shared/domain/permission';
import type { Workspace } from '@postrider/shared/domain/workspace';
import type { IdempotentRequest } from '../ports/unit-of-work.js';

/** Who did what is told of, and where. */
export interface AuditContext {
  readonly workspace: Workspace;
  readonly actor: Actor;
  /** W3C trace id: it travels with everything that the call causes. */
  readonly traceId: string;
  /** The span of the request, where there is tracing. */
  readonly spanId?: string | undefined;
}

/** One admitted request: who asks, where, and what they may do. Operations get it after every check on the caller. */
export interface Call extends AuditContext {
  readonly permissions: ReadonlySet<Permission>;
  /** Null when the caller sent no `Idempotency-Key`. */
  readonly idempotency: IdempotentRequest | null;
}

/** One request that needs no bearer. Whether its sender may have what it asks for is the operation's to find out. */
export interface OpenCall {
  /** The workspace that the path names, should there be one. */
  readonly slug: string;
  readonly traceId: string;
  /** The span of the request, where there is tracing. */
  readonly spanId?: string | undefined;
  /** Null when the caller sent no `Idempotency-Key`. Whose key it is, only the operation can know. */
  readonly idempotency: Omit<IdempotentRequest, 'scope'> | null;
}
