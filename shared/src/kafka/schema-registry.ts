import { COMPATIBILITY, SchemaRegistry, SchemaType } from '@kafkajs/confluent-schema-registry';
import {
  ConfluentSchemaRegistryArgumentError,
  ConfluentSchemaRegistryError,
  ConfluentSchemaRegistryValidationError,
} from '@kafkajs/confluent-schema-registry/dist/errors.js';
import { EVENT_TYPES } from '../domain/event-type.js';
import { NOTIFICATION_KINDS } from '../domain/notification.js';
import { EVENT_PAYLOADS } from '../events/event-payloads.js';
import { NOTIFICATION_PAYLOADS } from '../events/notification-payloads.js';
import { RecordRefused } from '../ports/queue.js';
import { EVENTS_TOPIC, NOTIFICATIONS_TOPIC } from '../ports/topics.js';

/** What the bytes on the public topics mean. */
export interface SchemaCodec {
  /** Registers every schema that is not there yet, backward compatible with what is. */
  register(): Promise<void>;
  /** Asks whether the registry is there and has our schemas. @throws Error that says what to do when it has not */
  check(): Promise<void>;
  /** Value → Confluent wire format. @throws RecordRefused when the value does not match its schema */
  encode(subject: string, value: unknown): Promise<Buffer>;
  /** Confluent wire format → value. @throws Undecodable when the bytes are at fault, another error when the registry is */
  decode(bytes: Buffer | null): Promise<unknown>;
}

/** These bytes will never mean anything, however often one tries. */
export class Undecodable extends Error {
  override readonly name = 'Undecodable';
}

/** One subject per event type and notification kind. */
const SCHEMAS: ReadonlyMap<string, object> = new Map<string, object>([
  ...EVENT_TYPES.map((type) => [`${EVENTS_TOPIC}-${type}`, EVENT_PAYLOADS[type]] as const),
  ...NOTIFICATION_KINDS.map(
    (kind) => [`${NOTIFICATIONS_TOPIC}-notification.${kind}`, NOTIFICATION_PAYLOADS[kind]] as const,
  ),
]);

/** The registry's answer to a schema id or subject that it does not have. */
const NOT_FOUND = 404;

/** @param prefix put before every subject, as before topics */
export function schemaCodec(host: string, prefix: string): SchemaCodec {
  const registry = new SchemaRegistry(
    { host, retry: { retries: 2, initialRetryTimeInSecs: 0.1, maxRetryTimeInSecs: 1 } },
    { [SchemaType.JSON]: { strict: false, validateFormats: false } },
  );
  const ids = new Map<string, Promise<number>>();
  const idOf = (subject: string): Promise<number> => {
    const known = ids.get(subject);
    if (known !== undefined) return known;
    const asked = registry.getRegistryIdBySchema(`${prefix}${subject}`, confluentSchema(subject));
    ids.set(subject, asked);
    asked.catch(() => ids.delete(subject));
    return asked;
  };
  return {
    async register() {
      for (const subject of SCHEMAS.keys()) {
        await registry.register(confluentSchema(subject), {
          subject: `${prefix}${subject}`,
          compatibility: COMPATIBILITY.BACKWARD,
        });
      }
    },
    async check() {
      for (const subject of SCHEMAS.keys()) {
        await idOf(subject).catch((cause: unknown) => {
          throw new Error(
            `the schema registry at ${host} has no schema ${prefix}${subject}: ${reasonOf(cause)}`,
            { cause },
          );
        });
      }
    },
    async encode(subject, value) {
      try {
        return await registry.encode(await idOf(subject), value);
      } catch (error) {
        if (!(error instanceof ConfluentSchemaRegistryValidationError)) throw error;
        throw new RecordRefused(`${subject}: ${JSON.stringify(error.paths)} does not match the schema`, {
          cause: error,
        });
      }
    },
    async decode(bytes) {
      if (bytes === null || bytes.length < 5) throw new Undecodable('the value is shorter than its header');
      try {
        return await registry.decode(bytes);
      } catch (error) {
        if (!isPoison(error)) throw error;
        throw new Undecodable(error instanceof Error ? error.message : String(error), { cause: error });
      }
    },
  };
}

function confluentSchema(subject: string) {
  const schema = SCHEMAS.get(subject);
  if (schema === undefined) throw new RecordRefused(`${subject} is no known subject`);
  return { type: SchemaType.JSON as const, schema: JSON.stringify(schema) };
}

function reasonOf(error: unknown): string {
  const isMissing = error instanceof ConfluentSchemaRegistryError;
  return isMissing ? 'run "admin migrate"' : error instanceof Error ? error.message : String(error);
}

/** Wrong magic byte, broken JSON, a value beside its schema, or a schema id that the registry itself denies. */
function isPoison(error: unknown): boolean {
  return (
    error instanceof ConfluentSchemaRegistryArgumentError ||
    error instanceof ConfluentSchemaRegistryValidationError ||
    error instanceof SyntaxError ||
    (typeof error === 'object' && error !== null && 'status' in error && error.status === NOT_FOUND)
  );
}
