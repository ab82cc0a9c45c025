import type { Actor, AuditSource } from '@postrider/shared/domain/audit-event';
import type { Permission } from '@postrider/shared/domain/permission';
import type { Workspace } from '@postrider/shared/domain/workspace';
import type { Credential } from '../domain/credential.js';
import type { IdempotentRequest } from '../ports/unit-of-work.js';

/** The actor, the workspace and the trace of an audited change. */
export interface AuditContext {
  readonly workspace: Workspace;
  readonly actor: Actor;
  /** W3C trace id, passed on to everything that the call causes. */
  readonly traceId: string;
  /** The span of the request; undefined when tracing is off. */
  readonly spanId?: string | undefined;
  /** Null for the command line. */
  readonly source: AuditSource | null;
}

/** An authorized request: its caller, workspace and permissions. Operations receive it after all checks of the caller. */
export interface Call extends AuditContext {
  readonly permissions: ReadonlySet<Permission>;
  /** The caller's token or portal link; null for the command line. */
  readonly credential: Credential | null;
  /** The base URL that the caller used, like `https://postrider.example.com`; null for the command line. */
  readonly baseUrl: string | null;
  /** Null when the caller sent no `Idempotency-Key`. */
  readonly idempotency: IdempotentRequest | null;
}

/** A request without a bearer token. The operation itself authorizes the sender. */
export interface OpenCall {
  /** The workspace in the path; it may not exist. */
  readonly slug: string;
  readonly traceId: string;
  /** The span of the request; undefined when tracing is off. */
  readonly spanId?: string | undefined;
  readonly source: AuditSource;
  /** Null when the caller sent no `Idempotency-Key`. The operation adds the scope: it identifies the caller. */
  readonly idempotency: Omit<IdempotentRequest, 'scope'> | null;
}
