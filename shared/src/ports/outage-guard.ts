import type { SendingHold } from '../domain/sending-hold.js';

/** A domain that answered recently and was tried within the window. */
export interface DomainEvidence {
  readonly domain: string;
  readonly workspaceId: string;
  /** Whether the last POST to each of its origins reached nothing. */
  readonly unreached: boolean;
}

/** An origin that answered before. */
export interface KnownOrigin {
  readonly origin: string;
  readonly workspaceId: string;
}

/** One dispatcher's knowledge of its network. */
export interface GuardRecord {
  /** Whether it holds sending. */
  readonly holding: boolean;
  readonly domains: readonly DomainEvidence[];
  /** Some origins that usually work, for dispatchers that have just started. */
  readonly origins: readonly KnownOrigin[];
}

/** Shares the evidence of outage guards among dispatchers. Records expire by themselves. */
export interface GuardRecords {
  publish(record: GuardRecord): Promise<void>;
  /** The records of the other dispatchers, and of one that ended some seconds ago. */
  others(): Promise<readonly GuardRecord[]>;
}

/** Shows other processes whether this dispatcher holds sending because of its clock. The record expires by itself. */
export interface ClockHoldRecord {
  publish(holding: boolean): Promise<void>;
}

/** The current holds, at most one of each cause; none if no dispatcher holds sending. */
export type FindSendingHolds = () => Promise<readonly SendingHold[]>;
