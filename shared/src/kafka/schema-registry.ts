import { Agent } from 'node:https';
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
import { memoizeAsync } from '../runtime/memoize-async.js';
import { explainRegistry, statusOf } from './explain-registry-error.js';

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

const [FIRST_SUBJECT = ''] = SCHEMAS.keys();

/** A magic byte, which is 0, and a schema id. */
const HEADER_BYTES = 5;
/** The registry's answer to a schema id or subject that it does not have. */
const NOT_FOUND = 404;

/** How the registry is spoken to. */
export interface RegistryAccess {
  /** Basic authentication; absent: none. */
  readonly auth?: { readonly username: string; readonly password: string };
  /** PEM of the authorities that vouch for it; absent: the usual ones. */
  readonly ca?: string;
}

/** @param prefix put before every subject, as before topics */
export function createSchemaCodec(
  host: string,
  prefix: string,
  { auth, ca }: RegistryAccess = {},
): SchemaCodec {
  const registry = new SchemaRegistry(
    {
      host,
      retry: { retries: 2, initialRetryTimeInSecs: 0.1, maxRetryTimeInSecs: 1 },
      ...(auth && { auth }),
      ...(ca !== undefined && { agent: new Agent({ ca, keepAlive: true }) }),
    },
    { [SchemaType.JSON]: { strict: false, validateFormats: false } },
  );
  const askFor = async (subject: string): Promise<number> =>
    registry.getRegistryIdBySchema(`${prefix}${subject}`, confluentSchema(subject));
  const idOf = memoizeAsync(askFor);
  // The registry's client compiles a schema once for each caller that comes before the first one is through.
  const schemaOf = memoizeAsync((id: number) => registry.getSchema(id));
  const checkSubject = async (subject: string): Promise<void> => {
    await idOf(subject).catch((cause: unknown) => {
      const what = `the schema registry at ${host} has no schema ${prefix}${subject}`;
      const isMissing = cause instanceof ConfluentSchemaRegistryError;
      throw new Error(`${what}: ${isMissing ? 'run "admin migrate"' : explainRegistry(cause)}`, { cause });
    });
  };
  return {
    async register() {
      // One after the other: some registries stumble over registrations at the same time.
      for (const subject of SCHEMAS.keys()) {
        const named = { subject: `${prefix}${subject}`, compatibility: COMPATIBILITY.BACKWARD };
        await registry.register(confluentSchema(subject), named).catch((cause: unknown) => {
          throw new Error(
            `the schema registry at ${host} does not take the schema ${named.subject}: ${explainRegistry(cause)}`,
            {
              cause,
            },
          );
        });
      }
    },
    async check() {
      await Promise.all([...SCHEMAS.keys()].map(checkSubject));
    },
    async encode(subject, value) {
      try {
        const id = await idOf(subject);
        await schemaOf(id);
        return await registry.encode(id, value);
      } catch (error) {
        if (!(error instanceof ConfluentSchemaRegistryValidationError)) throw error;
        throw new RecordRefused(`${subject}: ${JSON.stringify(error.paths)} does not match the schema`, {
          cause: error,
        });
      }
    },
    decode: createDecoder({ registry, schemaOf, askForOurs: () => askFor(FIRST_SUBJECT) }),
  };
}

interface DecoderParts {
  readonly registry: SchemaRegistry;
  readonly schemaOf: (id: number) => Promise<unknown>;
  /** Fails unless the registry has our own schemas. */
  readonly askForOurs: () => Promise<unknown>;
}

function createDecoder({ registry, schemaOf, askForOurs }: DecoderParts): SchemaCodec['decode'] {
  const needSchema = async (id: number): Promise<void> => {
    try {
      await schemaOf(id);
    } catch (cause) {
      if (cause instanceof ConfluentSchemaRegistryArgumentError) throw undecodable(cause);
      if (!isNotFound(cause)) throw cause;
      // A misled proxy, or a registry that lost its memory, says so of every schema: only ours can deny one.
      await askForOurs();
      throw undecodable(cause);
    }
  };
  return async (bytes) => {
    if (bytes === null || bytes.length < HEADER_BYTES)
      throw new Undecodable('the value is shorter than its header');
    if (bytes[0] !== 0) throw new Undecodable(`the magic byte is ${bytes[0]} instead of 0`);
    await needSchema(bytes.readInt32BE(1));
    // The schema is known now: whatever is wrong from here on is wrong with the bytes.
    return registry.decode(bytes).catch((cause: unknown) => {
      throw undecodable(cause);
    });
  };
}

function confluentSchema(subject: string) {
  const schema = SCHEMAS.get(subject);
  if (schema === undefined) throw new RecordRefused(`${subject} is no known subject`);
  return { type: SchemaType.JSON as const, schema: JSON.stringify(schema) };
}

function undecodable(cause: unknown): Undecodable {
  return new Undecodable(cause instanceof Error ? cause.message : String(cause), { cause });
}

function isNotFound(error: unknown): boolean {
  return statusOf(error) === NOT_FOUND;
}
