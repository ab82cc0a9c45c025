import type { Actor } from '@postrider/shared/domain/audit-event';
import type { Permission } from '@postrider/shared/domain/permission';
import type { Workspace } from '@postrider/shared/domain/workspace';
import type { IdempotentRequest } from '@postrider/shared/ports/unit-of-work';

/** One admitted request: who asks, where, and what they may do. Operations get it after every check on the caller. */
export interface Call {
  readonly workspace: Workspace;
  readonly actor: Actor;
  readonly permissions: ReadonlySet<Permission>;
  /** W3C trace id: it travels with everything that the call causes. */
  readonly traceId: string;
  /** Null when the caller sent no `Idempotency-Key`. */
  readonly idempotency: IdempotentRequest | null;
}
