import { chunksOf } from '@postrider/shared/domain/chunks';
import type { BatchConsumerParts } from '@postrider/shared/kafka/batch-consumer';
import type { Quarantine } from '@postrider/shared/kafka/quarantine';
import { decodeQueueMessage } from '@postrider/shared/kafka/queue-message';
import type { ReadRecord } from '@postrider/shared/kafka/read-record';
import type { QueueMessage } from '@postrider/shared/ports/queue';
import type { DeadLetterResult, SettleGroup } from './settle-group.js';

interface HandleBatchParts {
  readonly settleGroup: SettleGroup;
  readonly quarantine: Quarantine;
  readonly count: (result: DeadLetterResult) => void;
}

interface UnreadableRecord {
  readonly record: ReadRecord;
  readonly problem: string;
}

/** Dead letters in one transaction at most. */
const GROUP = 100;

/** Settles the dead letters of a batch in groups, and quarantines what cannot be read. */
export function createHandleBatch({
  settleGroup,
  quarantine,
  count,
}: HandleBatchParts): BatchConsumerParts['handle'] {
  /**
   * The batch that is being handled, null between batches, which do not overlap. One that fails is handled again, as the same
   * list, from its first group that is not settled or its first record that is not quarantined.
   */
  let current: {
    readonly records: readonly ReadRecord[];
    settled: number;
    quarantined: number;
  } | null = null;
  return async (records, heartbeat) => {
    if (records !== current?.records) current = { records, settled: 0, quarantined: 0 };
    const progress = current;
    const { messages, unreadable } = decodeAll(records);
    for (const group of chunksOf(messages.slice(progress.settled), GROUP)) {
      for (const result of await settleGroup(group, heartbeat)) count(result);
      progress.settled += group.length;
      await heartbeat();
    }
    // Last, because another consumer that gets the batch settles its dead letters once but would quarantine its records twice.
    for (const { record, problem } of unreadable.slice(progress.quarantined)) {
      await quarantine(record, problem);
      progress.quarantined += 1;
      await heartbeat();
    }
    current = null;
  };
}

function decodeAll(records: readonly ReadRecord[]) {
  const messages: QueueMessage[] = [];
  const unreadable: UnreadableRecord[] = [];
  for (const record of records) {
    const message = decodeQueueMessage(record.value, record.headers.traceparent);
    if ('problem' in message) unreadable.push({ record, problem: message.problem });
    else messages.push(message);
  }
  return { messages, unreadable };
}
