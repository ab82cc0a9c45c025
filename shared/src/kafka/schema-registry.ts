import { Agent } from 'node:https';
import { COMPATIBILITY, SchemaRegistry, SchemaType } from '@kafkajs/confluent-schema-registry';
import {
  ConfluentSchemaRegistryArgumentError,
  ConfluentSchemaRegistryCompatibilityError,
  ConfluentSchemaRegistryError,
  ConfluentSchemaRegistryValidationError,
} from '@kafkajs/confluent-schema-registry/dist/errors.js';
import { OUTCOME_KINDS } from '../domain/delivery-outcome.js';
import { EVENT_TYPES } from '../domain/event-type.js';
import { NOTIFICATION_KINDS } from '../domain/notification.js';
import { EVENT_PAYLOADS } from '../events/event-payloads.js';
import { NOTIFICATION_PAYLOADS } from '../events/notification-payloads.js';
import { OUTCOME_PAYLOADS } from '../events/outcome-payloads.js';
import { RecordRefused } from '../ports/queue.js';
import { EVENTS_TOPIC, NOTIFICATIONS_TOPIC, OUTCOMES_TOPIC } from '../ports/topics.js';
import { memoizeAsync } from '../runtime/memoize-async.js';
import { explainRegistry, NO_REGISTRY, statusOf } from './explain-registry-error.js';
import { createRegistryClient, NOT_FOUND, REGISTRY_TIMEOUT_MS } from './registry-client.js';
import { Undecodable } from './undecodable.js';
import { schemaIdOf } from './wire-format.js';

/** Encodes and decodes the values of the public topics. */
export interface SchemaCodec {
  /** Registers all missing schemas, with backward compatibility. */
  register(): Promise<void>;
  /** Checks that the registry is available and has our schemas. @throws Error with the remedy if not */
  check(): Promise<void>;
  /**
   * Asks the registry for one of our schemas, also if it was found before. Rejects if the registry has lost its data, or another
   * server answers in its place: both report every schema as missing.
   */
  checkAgain(): Promise<void>;
  /** Whether the subject is one of this version's own. */
  has(subject: string): boolean;
  /** The id of a schema of this version. */
  idOf(subject: string): Promise<number>;
  /** Value → Confluent wire format. @throws RecordRefused if the value does not match its schema */
  encode(subject: string, value: unknown): Promise<Buffer>;
  /** Confluent wire format → value. @throws Undecodable if the bytes are invalid, another error if the registry fails */
  decode(bytes: Buffer | null): Promise<unknown>;
}

/** One subject per event type, notification kind and outcome kind. */
const SCHEMAS: ReadonlyMap<string, object> = new Map<string, object>([
  ...EVENT_TYPES.map((type) => [`${EVENTS_TOPIC}-${type}`, EVENT_PAYLOADS[type]] as const),
  ...NOTIFICATION_KINDS.map(
    (kind) => [`${NOTIFICATIONS_TOPIC}-notification.${kind}`, NOTIFICATION_PAYLOADS[kind]] as const,
  ),
  ...OUTCOME_KINDS.map((kind) => [`${OUTCOMES_TOPIC}-${kind}`, OUTCOME_PAYLOADS[kind]] as const),
]);

const [FIRST_SUBJECT = ''] = SCHEMAS.keys();

/** The credentials for the registry. */
export interface RegistryAccess {
  /** Basic authentication; absent: none. */
  readonly auth?: { readonly username: string; readonly password: string };
  /** PEM of its certificate authorities; absent: the system's. */
  readonly ca?: string;
  /** How long a request may take. */
  readonly timeoutMs?: number;
}

/** @param prefix prepended to every subject, as to topics */
export function createSchemaCodec(
  host: string,
  prefix: string,
  { auth, ca, timeoutMs = REGISTRY_TIMEOUT_MS }: RegistryAccess = {},
): SchemaCodec {
  const registry = new SchemaRegistry(
    {
      host,
      middlewares: [limitRequestTime(timeoutMs), refuseOtherAnswers],
      retry: { retries: 2, initialRetryTimeInSecs: 0.1, maxRetryTimeInSecs: 1 },
      ...(auth && { auth }),
      ...(ca !== undefined && { agent: new Agent({ ca, keepAlive: true }) }),
    },
    // The registry has validated the schemas. Validating one again takes five times as long as compiling it.
    { [SchemaType.JSON]: { strict: false, validateFormats: false, validateSchema: false } },
  );
  const fetchId = async (subject: string): Promise<number> =>
    registry.getRegistryIdBySchema(`${prefix}${subject}`, confluentSchema(subject));
  const idOf = memoizeAsync(fetchId);
  const checkAgain = async () => void (await fetchId(FIRST_SUBJECT));
  // Without memoization the registry's client compiles a schema once per concurrent caller.
  const schemaOf = memoizeAsync((id: number) => registry.getSchema(id));
  const checkSubject = async (subject: string): Promise<void> => {
    await idOf(subject).catch((cause: unknown) => {
      const what = `the schema registry at ${host} has no schema ${prefix}${subject}`;
      const isMissing = cause instanceof ConfluentSchemaRegistryError;
      throw new Error(`${what}: ${isMissing ? 'run "admin migrate"' : explainRegistry(cause)}`, { cause });
    });
  };
  const client = createRegistryClient(host, {
    ...(auth && { auth }),
    ...(ca !== undefined && { ca }),
  });
  const registerOne = async (subject: string, named: { subject: string; compatibility: COMPATIBILITY }) => {
    const register = () => registry.register(confluentSchema(subject), named);
    await register().catch(async (error: unknown) => {
      if (!hasNoCompatibility(error)) throw error;
      // A registration ended between its two requests, and the registry's default is NONE.
      await client.setCompatibility(named.subject, 'BACKWARD');
      await register();
    });
  };
  return {
    async register() {
      // Sequentially, because some registries fail on concurrent registrations.
      for (const subject of SCHEMAS.keys()) {
        const named = { subject: `${prefix}${subject}`, compatibility: COMPATIBILITY.BACKWARD };
        await registerOne(subject, named).catch((cause: unknown) => {
          const problem = `the schema registry at ${host} does not register the schema ${named.subject}: ${explainRegistry(cause)}`;
          throw new Error(problem, { cause });
        });
      }
    },
    async check() {
      await Promise.all([...SCHEMAS.keys()].map(checkSubject));
    },
    checkAgain,
    has: (subject) => SCHEMAS.has(subject),
    idOf,
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
    decode: createDecoder({ registry, schemaOf, checkAgain }),
  };
}

const hasNoCompatibility = (error: unknown): boolean =>
  error instanceof ConfluentSchemaRegistryCompatibilityError && error.message.endsWith('!= NONE)');

type RegistryOptions = ConstructorParameters<typeof SchemaRegistry>[0];
type Middleware = NonNullable<RegistryOptions['middlewares']>[number];

/** Without it, a registry that accepts connections but never answers would block every caller that needs a schema. */
const limitRequestTime =
  (timeout: number): Middleware =>
  () => ({ prepareRequest: async (next) => (await next()).enhance({ timeout }) });

/** Without it, the client takes any page for an answer, and finds a schema without an id in it. */
const refuseOtherAnswers: Middleware = () => ({
  async response(next) {
    const response = await next();
    if (typeof response.data() !== 'object') throw new Error(NO_REGISTRY);
    return response;
  },
});

interface DecoderParts extends Pick<SchemaCodec, 'checkAgain'> {
  readonly registry: SchemaRegistry;
  readonly schemaOf: (id: number) => Promise<unknown>;
}

function createDecoder({ registry, schemaOf, checkAgain }: DecoderParts): SchemaCodec['decode'] {
  const needSchema = async (id: number): Promise<void> => {
    try {
      await schemaOf(id);
    } catch (cause) {
      if (cause instanceof ConfluentSchemaRegistryArgumentError) throw undecodable(cause);
      if (!isNotFound(cause)) throw cause;
      await checkAgain();
      throw undecodable(cause);
    }
  };
  return async (bytes) => {
    await needSchema(schemaIdOf(bytes));
    // The schema is known, so an error from here on is an error of the bytes.
    return registry.decode(bytes as Buffer).catch((cause: unknown) => {
      throw undecodable(cause);
    });
  };
}

function confluentSchema(subject: string) {
  const schema = SCHEMAS.get(subject);
  if (schema === undefined) throw new RecordRefused(`${subject} is not a known subject`);
  return { type: SchemaType.JSON as const, schema: JSON.stringify(schema) };
}

function undecodable(cause: unknown): Undecodable {
  return new Undecodable(cause instanceof Error ? cause.message : String(cause), { cause });
}

function isNotFound(error: unknown): boolean {
  return statusOf(error) === NOT_FOUND;
}
