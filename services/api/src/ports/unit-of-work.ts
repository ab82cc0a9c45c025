import type { ApiToken } from '@postrider/shared/domain/api-token';
import type { AuditEvent } from '@postrider/shared/domain/audit-event';
import type { Delivery } from '@postrider/shared/domain/delivery';
import type { Endpoint } from '@postrider/shared/domain/endpoint';
import type { Invitation } from '@postrider/shared/domain/invitation';
import type { Member } from '@postrider/shared/domain/member';
import type { Workspace } from '@postrider/shared/domain/workspace';
import type { OutboxRecord } from '@postrider/shared/ports/outbox';

/** A request that its sender may repeat under one key and that must have its effect once. */
export interface IdempotentRequest {
  /** Whose key it is: a kept answer is never given to anybody else. */
  readonly scope: string;
  readonly key: string;
  /** Tells this request from another one under the same key. */
  readonly fingerprint: string;
}

/** What a mutation comes to besides the state that it saved. */
export interface Change<Answer> {
  /** What the caller gets: plain JSON, because it may be kept and given again. */
  readonly answer: Answer;
  readonly audit: readonly AuditEvent[];
  readonly outbox: readonly OutboxRecord[];
}

/** The change that changes nothing: no audit event, no message. */
export function noChange<Answer>(answer: Answer): Change<Answer> {
  return { answer, audit: [], outbox: [] };
}

/**
 * The one way to change anything. State, audit events, outbox records and the kept answer are written together or not
 * at all; the records go out after the commit, and the caller never waits for that.
 *
 * `work` may run several times, on fresh state each time: it has no effect but what it saves through `tx`. A repeated
 * request gets the kept answer and `work` does not run.
 *
 * @throws Refusal `IdempotencyKeyReused` when the key belongs to another request, `IdempotencyKeyInUse` when the same
 * request is still under way
 */
export type Mutate = <Answer>(
  call: { readonly idempotency: IdempotentRequest | null },
  work: (tx: Transaction) => Promise<Change<Answer>>,
) => Promise<Answer>;

/** What a transaction offers. Every read and write is part of it. */
export interface Transaction {
  readonly workspaces: Pick<Repository<Workspace>, 'insert' | 'save'> & {
    find(id: string): Promise<Workspace | null>;
    /**
     * For rules that span several members or invitations: of two transactions that guard a workspace at once, one
     * starts again. Without it, each would see the state before the other.
     */
    guard(id: string): Promise<void>;
  };
  readonly members: Repository<Member> & {
    findByEmail(workspaceId: string, email: string): Promise<Member | null>;
    /** Does the workspace have an owner besides this member? Only true for the future under a guard. */
    hasOtherOwner(workspaceId: string, memberId: string): Promise<boolean>;
    remove(member: Member): Promise<void>;
  };
  readonly invitations: Repository<Invitation> & {
    /** The invitation of this address that is neither accepted nor revoked; it may have expired. */
    findPending(workspaceId: string, email: string): Promise<Invitation | null>;
  };
  readonly tokens: Repository<ApiToken>;
  /** Deleted ones are found, too. */
  readonly endpoints: Repository<Endpoint>;
  readonly deliveries: Pick<Repository<Delivery>, 'find' | 'insert'>;
}

/** Things of a workspace. */
export interface Repository<T> {
  /** @returns null when the workspace has none with this id */
  find(workspaceId: string, id: string): Promise<T | null>;
  insert(thing: T): Promise<void>;
  /** Overwrites what this transaction found. When somebody else changed it meanwhile, the transaction starts again. */
  save(thing: T): Promise<void>;
}
