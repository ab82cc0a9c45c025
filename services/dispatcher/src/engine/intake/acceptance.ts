import { backoffMs } from '@postrider/shared/domain/retry-policy';
import type { Log } from '@postrider/shared/ports/log';
import type { QueueMessage } from '@postrider/shared/ports/queue';
import type { SettlementStore } from '@postrider/shared/ports/settlement';
import { DELIVERIES_TOPIC, tierOfTopic } from '@postrider/shared/ports/topics';
import type { TurnLimit } from '@postrider/shared/runtime/turns';
import type { Source, TrackedSource } from '../../offsets/open-offsets.js';
import { createTrackNew } from '../../offsets/track-new.js';
import { jobKey } from '../jobs/job.js';
import type { Workload } from '../jobs/workload.js';
import type { Intake } from './intake.js';
import { createSkipDelivered } from './skip-delivered.js';

/** A message with its offset and the time of its append. */
export interface ReceivedMessage extends Source, ReceivedContent {}

interface ReceivedContent {
  readonly message: QueueMessage;
  /** The broker's append time, in milliseconds. */
  readonly appendedAt: number;
}

/** A message whose offset is tracked. */
interface TrackedMessage extends ReceivedContent {
  readonly source: TrackedSource;
}

/** Tracks the offsets of messages and adds those that are new to the workload. */
export interface Acceptance {
  /** Call after an assignment: another process may have owned the partitions until now. */
  assigned(): void;
  /** Accepts a message without waiting for its attempt. */
  accept(received: ReceivedMessage): void;
  /**
   * Tracks the offset of an unreadable message and puts it into quarantine, unless it was accepted before. The offset is done
   * when that resolves, and never if it rejects.
   */
  skip(source: Source, quarantine: () => Promise<void>): void;
}

interface AcceptanceParts {
  readonly intake: Pick<Intake, 'classify' | 'track' | 'done'>;
  readonly workload: Pick<Workload, 'addMessage'>;
  readonly store: Pick<SettlementStore, 'deliveredOf'>;
  readonly isAssigned: (endpointId: string) => boolean;
  readonly retryStepMs: number;
  readonly clockMs: () => number;
  readonly turn: TurnLimit;
  readonly kick: () => void;
  readonly later: (task: () => void, ms: number) => void;
  readonly log: Log;
}

export function createAcceptance(parts: AcceptanceParts): Acceptance {
  const { intake, workload, isAssigned, retryStepMs, clockMs, kick, log } = parts;
  const trackNew = createTrackNew({ offsets: intake, log });
  /** A row is due within one backoff of its message's append, because its attempt was recorded before the append. */
  const dueOf = ({ message: { dueAt }, appendedAt }: ReceivedContent, tier: number) => {
    // A message cannot be appended after it was read, so a broker whose clock is ahead must not delay a retry.
    const latest = Math.min(appendedAt, clockMs()) + backoffMs(tier, retryStepMs);
    return dueAt === undefined ? latest : Math.min(dueAt.getTime(), latest);
  };
  const add = ({ message, appendedAt, source }: TrackedMessage) => {
    // Partitions were added since the message was sent: another process owns the endpoint and finds the row.
    if (!isAssigned(message.endpointId)) return intake.done(source);
    const tier = tierOfTopic(source.topic);
    workload.addMessage(message, source, tier === null ? 0 : dueOf({ message, appendedAt }, tier));
  };
  const skipDelivered = createSkipDelivered<TrackedMessage>({
    ...parts,
    add,
    skip: ({ source }) => intake.done(source),
    onAdded: kick,
  });

  return {
    assigned: skipDelivered.assigned,
    accept({ message, appendedAt, ...at }) {
      const source = trackNew(at, jobKey(message));
      if (source === null) return;
      const tracked = { message, appendedAt, source };
      // A waiting retry needs no slot, and few retries have been delivered before.
      if (source.topic === DELIVERIES_TOPIC) skipDelivered.accept(tracked);
      else add(tracked);
      kick();
    },
    skip(at, quarantine) {
      const source = trackNew(at, null);
      if (source === null) return;
      quarantine().then(
        () => intake.done(source),
        () => {},
      );
    },
  };
}
