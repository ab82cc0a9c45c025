import type { CustomEventType } from '../catalogue/catalogue.js';
import { subjectOf } from '../catalogue/registered-schema.js';
import { memoizeAsync } from '../runtime/memoize-async.js';
import { parseMessage } from './parse-message.js';
import type { RegistryClient } from './registry-client.js';
import type { SchemaCodec } from './schema-registry.js';
import { Undecodable } from './undecodable.js';
import { frame, unframe } from './wire-format.js';

/** Encodes and decodes events of custom types. Their schemas are checked by the catalogue, not here. */
export interface CustomCodec {
  /** A payload → Confluent wire format. @throws Error while the registry lacks the schema or is away */
  encode(type: CustomEventType, payload: unknown): Promise<Buffer>;
  /**
   * Confluent wire format → value.
   *
   * @throws Undecodable if the bytes are invalid or their schema belongs to another type, another error if the registry fails
   */
  decode(name: string, bytes: Buffer | null): Promise<unknown>;
}

/** Registers the schemas of types, each under its subject. Repeatable. */
export async function registerTypes(
  registry: RegistryClient,
  prefix: string,
  types: readonly CustomEventType[],
): Promise<void> {
  // Sequentially, because some registries fail on concurrent registrations.
  for (const type of types) {
    const subject = `${prefix}${subjectOf(type.definition.name)}`;
    const schema = type.registered();
    if ((await registry.idOf(subject, schema)) !== null) continue;
    const exists = await registry.setCompatibility(subject, 'NONE');
    await registry.register(subject, schema);
    if (!exists) await registry.setCompatibility(subject, 'NONE');
  }
}

export function createCustomCodec(
  registry: RegistryClient,
  prefix: string,
  { checkAgain }: Pick<SchemaCodec, 'checkAgain'>,
): CustomCodec {
  const fullSubject = (name: string) => `${prefix}${subjectOf(name)}`;
  const ids = new WeakMap<CustomEventType, Promise<number>>();
  const fetchId = async (type: CustomEventType): Promise<number> => {
    const subject = fullSubject(type.definition.name);
    const id = await registry.idOf(subject, type.registered());
    if (id === null)
      throw new Error(`the schema registry lacks the current schema of ${subject}: run "admin migrate"`);
    return id;
  };
  const idOf = (type: CustomEventType): Promise<number> => {
    const known = ids.get(type);
    if (known !== undefined) return known;
    const fetched = fetchId(type);
    ids.set(type, fetched);
    fetched.catch(() => ids.delete(type));
    return fetched;
  };
  // Only successes are kept: an id may be registered under another subject later.
  const checkSubject = memoizeAsync(async (key: string): Promise<void> => {
    const [id = '', subject = ''] = key.split(' ');
    const subjects = await registry.subjectsOf(Number(id));
    if (subjects.includes(subject)) return;
    await checkAgain();
    throw new Undecodable(`schema ${id} does not belong to the subject ${subject}`);
  });
  return {
    async encode(type, payload) {
      return frame(await idOf(type), JSON.stringify(payload));
    },
    async decode(name, bytes) {
      const { id, text } = unframe(bytes);
      await checkSubject(`${id} ${fullSubject(name)}`);
      return parseMessage(text);
    },
  };
}
