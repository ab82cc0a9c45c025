import type { ApiToken } from '@postrider/shared/domain/api-token';
import type { AuditEvent } from '@postrider/shared/domain/audit-event';
import type { ConformanceCheck } from '@postrider/shared/domain/conformance-check';
import type { Delivery, Pending } from '@postrider/shared/domain/delivery';
import type { Endpoint } from '@postrider/shared/domain/endpoint';
import type { Invitation } from '@postrider/shared/domain/invitation';
import type { Member } from '@postrider/shared/domain/member';
import type { PortalLink } from '@postrider/shared/domain/portal-link';
import type { ReplayJob } from '@postrider/shared/domain/replay-job';
import type { Workspace } from '@postrider/shared/domain/workspace';
import type { OutboxRecord } from '@postrider/shared/ports/outbox';

/** A request that may be repeated with the same key and must take effect once. */
export interface IdempotentRequest {
  /** The owner of the key: a stored result is never returned to another caller. */
  readonly scope: string;
  readonly key: string;
  /** Distinguishes the request from others with the same key. */
  readonly fingerprint: string;
}

/** The outcome of a mutation, besides the state that it saved. */
export interface Change<Result> {
  /** Plain JSON, because it may be stored and returned again. */
  readonly result: Result;
  readonly audit: readonly AuditEvent[];
  readonly outbox: readonly OutboxRecord[];
  /** The endpoint whose secret is in the result, so that a stored result goes with it. */
  readonly secretOf?: string;
}

/** Writes no audit event and no message. */
export function noChange<Result>(result: Result): Change<Result> {
  return { result, audit: [], outbox: [] };
}

/**
 * Makes a change in one transaction: state, audit events, outbox records and the stored result are written together or
 * not at all. The records are published after the commit, and the caller does not wait for that.
 *
 * `work` may run several times, with fresh state each time, so its only effects must be those through `tx`. For a repeated
 * request the stored result is returned and `work` does not run.
 *
 * @throws Refusal `IdempotencyKeyReused` when the key belongs to another request, `IdempotencyKeyInUse` when the same
 * request is still in progress
 */
export type Mutate = <Result>(
  call: { readonly idempotency: IdempotentRequest | null },
  work: (tx: Transaction) => Promise<Change<Result>>,
) => Promise<Result>;

/** The outcome of a change that consists of records alone. */
export type NewEvents<Result> = Pick<Change<Result>, 'result' | 'outbox'>;

/**
 * Stores records as `Mutate` does, in a transaction that concurrent requests share. A request that cannot be stored
 * does not affect the others. `create` may run several times.
 *
 * @throws Refusal as `Mutate` does
 */
export type StoreEvents = <Result>(
  call: { readonly idempotency: IdempotentRequest | null },
  create: () => NewEvents<Result>,
) => Promise<Result>;

/** The repositories of one transaction. */
export interface Transaction {
  readonly workspaces: Pick<Repository<Workspace>, 'insert' | 'save'> & {
    find(id: string): Promise<Workspace | null>;
    /**
     * Serializes transactions that check rules across owners: of two that guard a workspace at the same time, one is retried.
     * Without it, neither would see the other's changes.
     */
    guard(id: string): Promise<void>;
    /** The quotas that an operator set for this workspace alone. */
    ownQuotas(id: string): Promise<Partial<Quotas>>;
    setOwnQuotas(id: string, quotas: Partial<Quotas>): Promise<void>;
  };
  readonly members: Repository<Member> & {
    findByEmail(workspaceId: string, email: string): Promise<Member | null>;
    /** Whether the workspace has another owner. Only reliable after `guard`. */
    hasOtherOwner(workspaceId: string, memberId: string): Promise<boolean>;
    remove(member: Member): Promise<void>;
  };
  readonly invitations: Repository<Invitation> & {
    /** The invitation of this address that was neither accepted nor revoked; it may have expired. */
    findPending(workspaceId: string, email: string): Promise<Invitation | null>;
  };
  readonly tokens: Repository<ApiToken> & TokenFamilies & Countable;
  readonly portalLinks: Repository<PortalLink>;
  /** Includes deleted ones, except in the count. */
  readonly endpoints: Repository<Endpoint> & Countable;
  readonly storedResults: {
    /** Removes the stored results that contain a secret of this endpoint. */
    removeSecretsOf(endpointId: string): Promise<void>;
  };
  readonly deliveries: Pick<Repository<Delivery>, 'find'> & {
    /** Claims the source of a replay, so that a concurrent transaction that checks for replays of it is retried. */
    insert(delivery: Delivery & Pending): Promise<void>;
  };
  readonly replayJobs: Repository<ReplayJob> & {
    /** The number of active jobs, without those of recovered endpoints. */
    countActive(workspaceId: string): Promise<number>;
    /** Counts those of these jobs that are stored, active or not. */
    countStored(ids: readonly string[]): Promise<number>;
  };
  readonly conformanceChecks: {
    insert(check: ConformanceCheck): Promise<void>;
    /** The checks that were started after `since`, oldest first. */
    startedSince(
      workspaceId: string,
      since: Date,
    ): Promise<readonly Pick<ConformanceCheck, 'id' | 'endpointId' | 'startedAt'>[]>;
  };
}

/** How many live rows of a kind a workspace may have. */
export interface Quotas {
  readonly endpoints: number;
  readonly tokens: number;
}

interface Countable {
  /** Counts live rows, at most `atMost`. */
  countLive(workspaceId: string, now: Date, atMost: number): Promise<number>;
  /** Counts those of these rows that are stored, live or not. */
  countStored(ids: readonly string[]): Promise<number>;
}

/**
 * The tokens that a token made, and those that these made. The revocation of a family is recorded on its tokens: the
 * tokens made by a *pending* one are still to be revoked, those made by a *done* one are revoked or have expired, and so are those
 * that these made. Pending and done tokens are revoked themselves.
 */
interface TokenFamilies {
  /** Some of the pending tokens of a workspace. */
  pending(workspaceId: string, limit: number): Promise<readonly string[]>;
  /** Tokens of the workspace that are not revoked. */
  live(unexpired: LiveTokens, limit: number): Promise<readonly ApiToken[]>;
  /** Those of these tokens that are not revoked. */
  liveOf(ids: readonly string[]): Promise<readonly ApiToken[]>;
  /** Those of these tokens that exist. */
  creators(ids: readonly string[]): Promise<readonly CreatorToken[]>;
  /** Some of the tokens that are not revoked. */
  liveMadeBy(made: MadeTokens, limit: number): Promise<readonly ApiToken[]>;
  /** Some of the tokens that are revoked and neither pending nor done: they may have made live ones. */
  revokedMadeBy(made: MadeTokens, limit: number): Promise<readonly string[]>;
  revoke(ids: readonly string[], at: Date): Promise<void>;
  markFamilies(ids: readonly string[], state: FamilyState): Promise<void>;
}

/**
 * The tokens that these made, without those that have expired at this time. A token expires with its creator at the
 * latest, so expired ones made no live ones.
 */
export interface MadeTokens extends LiveTokens {
  readonly creatorIds: readonly string[];
}

/** The tokens of a workspace that have not expired at this time. */
export interface LiveTokens {
  readonly workspaceId: string;
  readonly unexpiredAt: Date;
}

/** A token that made others, and its own creator. */
export interface CreatorToken {
  readonly id: string;
  readonly createdBy: string | null;
  readonly family: FamilyState | null;
}

export type FamilyState = 'pending' | 'done';

/** Rows of one kind that belong to workspaces. */
export interface Repository<T> {
  /** @returns null when the workspace has none with this id */
  find(workspaceId: string, id: string): Promise<T | null>;
  insert(row: T): Promise<void>;
  /** Overwrites the row that this transaction read. After a concurrent change the transaction is retried. */
  save(row: T): Promise<void>;
}
