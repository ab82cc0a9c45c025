import { createFreshCatalogue } from '@postrider/shared/catalogue/fresh-catalogue';
import type { ConsumerMonitor } from '@postrider/shared/kafka/consumer-monitor';
import type { CustomCodec } from '@postrider/shared/kafka/custom-codec';
import type { Quarantine } from '@postrider/shared/kafka/quarantine';
import { copyRecord, type ReadRecord } from '@postrider/shared/kafka/read-record';
import type { SchemaCodec } from '@postrider/shared/kafka/schema-registry';
import type { CatalogueView } from '@postrider/shared/ports/catalogue';
import type { Clock } from '@postrider/shared/ports/clock';
import { EVENTS_TOPIC } from '@postrider/shared/ports/topics';
import { sleep } from '@postrider/shared/runtime/sleep';
import { createAwaitType } from '../fan-out/await-type.js';
import { createEventIntake, type EventIntake, type EventIntakeLimits } from '../fan-out/event-intake.js';
import type { FanOut } from '../fan-out/fan-out.js';
import { createReadByCatalogue } from '../fan-out/read-by-catalogue.js';
import { type ConsumerParts, startAcceptingConsumer } from './accepting-consumer.js';
import { createDecodeEvent } from './decode-event.js';
import { createReadAgain } from './read-again.js';

export interface EventConsumer extends ConsumerMonitor, Pick<EventIntake<ReadRecord>, 'figures'> {
  /** Stops reading, waits up to `withinMs` for the chunk in progress, commits and leaves the group. */
  leave(withinMs: number): Promise<void>;
}

interface EventConsumerParts extends ConsumerParts {
  readonly codec: Pick<SchemaCodec, 'decode'>;
  readonly customCodec: Pick<CustomCodec, 'decode'>;
  readonly catalogue: CatalogueView;
  readonly quarantine: Quarantine;
  readonly fanOut: FanOut;
  readonly limits: EventIntakeLimits;
  /** Whether a row can have a payload. */
  readonly fitsRow: (payload: object) => boolean;
  readonly clock: Clock;
}

/**
 * Maximum size of a fetch per partition, in bytes: the client decodes a fetch in one turn of the event loop, and its buffer
 * is kept until the last of its events that are not deferred is decoded.
 */
const MAX_BYTES_PER_PARTITION = 128 * 1024;

/** Connects the fan-out to Kafka. While the registry is unreachable, events whose schema is not known yet wait. */
export async function startEventConsumer(parts: EventConsumerParts): Promise<EventConsumer> {
  const { fanOut, catalogue } = parts;
  const time = { monotonicMs: () => performance.now(), sleep };
  const fresh = createFreshCatalogue({ catalogue, ...time });
  const read = createDecodeEvent({
    ...parts,
    awaitType: createAwaitType({ catalogue, fresh, ...time }),
    readByCatalogue: createReadByCatalogue({ catalogue, fresh, ...time }),
    wallMs: () => Date.now(),
  });
  const again = createReadAgain(parts);
  const intake = createEventIntake({
    ...parts,
    read,
    readAgain: again.read,
    copy: copyRecord,
    turn: parts.turnLimit(),
    ...time,
  });
  const consumer = await startAcceptingConsumer({
    ...parts,
    groupId: 'fan-out',
    topics: [EVENTS_TOPIC],
    destination: intake,
    settings: { maxBytesPerPartition: MAX_BYTES_PER_PARTITION },
  });
  return {
    ...consumer,
    figures: intake.figures,
    async leave(withinMs) {
      consumer.close();
      intake.stop();
      await fanOut.quiesce(withinMs);
      await Promise.all([consumer.leave(), again.close()]);
    },
  };
}
