import { randomUUID } from 'node:crypto';
import { connectPartitionReader } from '@postrider/shared/kafka/partition-reader';
import type { Metrics } from '@postrider/shared/metrics/metrics';
import type { Platform } from '@postrider/shared/platform/platform';
import type { Log } from '@postrider/shared/ports/log';
import { EVENTS_TOPIC, OUTCOMES_TOPIC } from '@postrider/shared/ports/topics';
import { createSecretBox } from '@postrider/shared/runtime/secret-box';
import { sleep } from '@postrider/shared/runtime/sleep';
import type { Config } from './config.js';
import type { StreamSource } from './domain/stream-query.js';
import { createPayloadReads } from './mongo/payload-reads.js';
import { createStreamCounts } from './mongo/stream-counts.js';
import { createLiveTopic } from './streams/live-topic.js';
import { createOpenStreams, type OpenStreams } from './streams/open-streams.js';
import { createPositionIds } from './streams/position-ids.js';
import { STREAM_ENDS } from './streams/stream.js';
import { createEventReader, OUTCOME_READER, type RecordReader } from './streams/stream-record-readers.js';

interface StreamServices {
  readonly config: Pick<Config, 'MAX_STREAMS' | 'ENCRYPTION_KEYS'>;
  readonly platform: Pick<Platform, 'kafka' | 'names' | 'database' | 'catalogue' | 'clock'>;
  readonly metrics: Metrics;
  readonly log: Log;
}

/** A client that takes too little for this long, in milliseconds, is slow. */
const READY_WITHIN_MS = 5_000;

/** Serves the streams of this process. Reads nothing while there are none. */
export function startStreams({ config, platform, metrics, log }: StreamServices): OpenStreams {
  const { kafka, names, database, catalogue, clock } = platform;
  const time = { sleep, monotonicMs: () => performance.now() };
  const ids = createPositionIds(createSecretBox(config.ENCRYPTION_KEYS), clock);
  const topic = (name: string, source: StreamSource, records: RecordReader) =>
    createLiveTopic({
      connect: (maxBytes) => connectPartitionReader({ kafka, names, topic: name, maxBytes }),
      records,
      idOf: (workspaceId, positions) => ids.idOf({ workspaceId, source }, positions),
      ...time,
      log,
      readyWithinMs: READY_WITHIN_MS,
    });
  const events = metrics.counter('postrider_stream_events_total');
  const ended = metrics.counter('postrider_streams_ended_total');
  for (const reason of [...STREAM_ENDS, 'client']) ended.inc({ reason }, 0);
  const streams = createOpenStreams({
    topics: {
      deliveries: topic(OUTCOMES_TOPIC, 'deliveries', OUTCOME_READER),
      events: topic(EVENTS_TOPIC, 'events', createEventReader({ catalogue, ...time })),
    },
    ids,
    readPayloads: createPayloadReads(database.collections),
    counts: createStreamCounts({ collections: database.collections, processId: randomUUID(), log }),
    maxStreams: config.MAX_STREAMS,
    monotonicMs: time.monotonicMs,
    onEvents: (count) => events.inc(count),
    onEnd: (reason) => ended.inc({ reason }),
  });
  metrics.gauge('postrider_streams', streams.size);
  return streams;
}
