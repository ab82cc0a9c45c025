import { type ReadRecord, readRecords } from '@postrider/shared/kafka/read-record';
import type { TopicNames } from '@postrider/shared/kafka/topic-names';
import type { TurnLimit } from '@postrider/shared/runtime/turns';
import type { EachBatchPayload } from 'kafkajs';

interface AcceptBatchParts {
  readonly names: TopicNames;
  readonly accept: (record: ReadRecord) => void;
  /** Splits accepting into turns of the event loop. */
  readonly turn: TurnLimit;
  /** Whether the group was joined again since a batch was fetched, or the position of its partition was lost. */
  readonly isOutdated: (batch: EachBatchPayload['batch']) => boolean;
}

/** Accepts the records of a batch. Those of an outdated batch are left to be read again, even if some were accepted. */
export function createAcceptBatch({ names, accept, turn, isOutdated }: AcceptBatchParts) {
  return async ({
    batch,
    resolveOffset,
  }: Pick<EachBatchPayload, 'batch' | 'resolveOffset'>): Promise<void> => {
    if (isOutdated(batch)) return;
    for (const record of readRecords(batch, names)) {
      if (turn.isOver()) {
        await turn.wait();
        if (isOutdated(batch)) return;
      }
      accept(record);
    }
    resolveOffset(batch.lastOffset());
  };
}
