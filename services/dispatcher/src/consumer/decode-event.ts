import type { CustomEventType } from '@postrider/shared/catalogue/catalogue';
import type { CustomCodec } from '@postrider/shared/kafka/custom-codec';
import type { ReadRecord } from '@postrider/shared/kafka/read-record';
import type { SchemaCodec } from '@postrider/shared/kafka/schema-registry';
import { Undecodable } from '@postrider/shared/kafka/undecodable';
import type { Clock } from '@postrider/shared/ports/clock';
import { parentSpanIdOf, traceIdOf } from '@postrider/shared/runtime/trace';
import type { AwaitType } from '../fan-out/await-type.js';
import type { Read } from '../fan-out/event-intake.js';
import type { ReadByCatalogue } from '../fan-out/read-by-catalogue.js';
import {
  type EventParts,
  namedType,
  type Problem,
  type ReadEvent,
  readBuiltIn,
} from '../fan-out/read-event.js';

interface DecodeEventParts {
  readonly codec: Pick<SchemaCodec, 'decode'>;
  readonly customCodec: Pick<CustomCodec, 'decode'>;
  readonly awaitType: AwaitType;
  readonly readByCatalogue: ReadByCatalogue;
  /** Whether a row can have a payload. */
  readonly fitsRow: (payload: object) => boolean;
  readonly clock: Clock;
  /** The machine's own clock, in milliseconds. */
  readonly wallMs: () => number;
}

/** A smaller value always fits a row. Brokers accept larger ones compressed. */
const MEASURED_BYTES = 1_024 * 1_024;
const TOO_LARGE: Problem = { problem: 'the payload is too large to be stored' };

/** Decodes and validates messages of the event topic. Rejects while the registry or the database is away. */
export function createDecodeEvent(parts: DecodeEventParts) {
  const { codec, customCodec, awaitType, readByCatalogue, fitsRow, clock, wallMs } = parts;
  /** While the clocks differ it is not known which one is wrong, and the quarantine is final. */
  const laterOfClocks = () => new Date(Math.max(clock.now().getTime(), wallMs()));
  const finish = async (
    { headers, value }: ReadRecord,
    decode: () => Promise<unknown>,
    read: (parts: EventParts) => Read | Promise<Read>,
  ): Promise<Read> => {
    const isMeasured = value !== null && value.length > MEASURED_BYTES;
    const complete = (event: ReadEvent | Problem): ReadEvent | Problem => {
      if ('problem' in event) return event;
      if (isMeasured && !fitsRow(event.payload)) return TOO_LARGE;
      const parentSpanId = parentSpanIdOf(headers.traceparent);
      return parentSpanId === null ? event : { ...event, parentSpanId };
    };
    try {
      const event = await read({ headers, value: await decode(), now: laterOfClocks(), traceIdOf });
      return 'later' in event ? { later: async () => complete(await event.later()) } : complete(event);
    } catch (error) {
      if (error instanceof Undecodable) return { problem: error.message };
      throw error;
    }
  };
  const finishCustom = async (
    record: ReadRecord,
    name: string,
    type: CustomEventType | null,
  ): Promise<Read> => {
    if (type === null) return { problem: `ce_type "${name}" is not an event type` };
    const decode = () => customCodec.decode(name, record.value);
    return finish(record, decode, (parts) => readByCatalogue(type, parts));
  };
  return async (record: ReadRecord): Promise<Read> => {
    const named = namedType(record.headers);
    if ('problem' in named) return named;
    if ('builtIn' in named) {
      const decode = () => codec.decode(record.value);
      return finish(record, decode, (parts) => readBuiltIn(named.builtIn, parts));
    }
    const { custom } = named;
    const type = awaitType(custom);
    if (!('later' in type)) return finishCustom(record, custom, type);
    return {
      async later() {
        const read = await finishCustom(record, custom, await type.later());
        return 'later' in read ? read.later() : read;
      },
    };
  };
}
