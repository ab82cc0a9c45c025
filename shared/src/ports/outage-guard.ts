/** The last outcome at a domain that answered before. */
export interface DomainEvidence {
  readonly domain: string;
  readonly workspaceId: string;
  readonly unreached: boolean;
}

/** What one dispatcher knows about its network. */
export interface GuardRecord {
  /** Whether it holds sending. */
  readonly holding: boolean;
  readonly domains: readonly DomainEvidence[];
}

/** Shares the evidence of outage guards among dispatchers. Records expire by themselves. */
export interface GuardRecords {
  publish(record: GuardRecord): Promise<void>;
  /** The evidence of the other dispatchers. */
  others(): Promise<readonly DomainEvidence[]>;
}

/** Whether any dispatcher holds sending because its network fails. */
export type IsSendingHeld = () => Promise<boolean>;
