import type { StoredEventType } from '../catalogue/event-type-definition.js';
import type { CatalogueStore } from '../ports/catalogue.js';
import type { EventTypeDocument } from './collections.js';
import type { Database } from './connect.js';
import { inTransaction } from './transaction.js';

interface CatalogueDocument {
  readonly _id: 'catalogue';
  readonly version: number;
  /** Digests of the files that were applied, the newest last. */
  readonly files: readonly string[];
}

/** Another command changed the catalogue after it was read. */
export class CatalogueChanged extends Error {
  override readonly name = 'CatalogueChanged';
}

export interface CatalogueChange {
  readonly types: readonly StoredEventType[];
  /** The version on which the change is based. */
  readonly from: number;
  /** The digest of the file that was applied. */
  readonly file: string;
  readonly at: Date;
}

export interface WritableCatalogueStore extends CatalogueStore {
  /** Stores all types or none. @throws CatalogueChanged if the stored version is another one */
  save(change: CatalogueChange): Promise<void>;
  /** Whether the file with this digest was applied before. */
  wasApplied(file: string): Promise<boolean>;
}

const KEPT_FILES = 100;

export function createCatalogueStore({ client, db, collections }: Database): WritableCatalogueStore {
  const meta = db.collection<CatalogueDocument>('meta');
  const { eventTypes } = collections;
  const version = async () => (await meta.findOne({ _id: 'catalogue' }))?.version ?? 0;
  return {
    version,
    async read() {
      // A change between the two reads is found again by its version.
      const known = await version();
      return { version: known, types: (await eventTypes.find().toArray()).map(fromDocument) };
    },
    save: ({ types, from, file, at }) =>
      inTransaction(client, async (session) => {
        const before = await meta.findOne({ _id: 'catalogue' }, { session });
        if ((before?.version ?? 0) !== from)
          throw new CatalogueChanged('the catalogue was changed meanwhile: run the command again');
        for (const type of types) {
          const { _id, ...fields } = toDocument(type, at);
          await eventTypes.updateOne({ _id }, { $set: fields }, { upsert: true, session });
        }
        const files = [...(before?.files ?? []).filter((other) => other !== file), file].slice(-KEPT_FILES);
        const change = { $set: { version: from + (types.length > 0 ? 1 : 0), files } };
        await meta.updateOne({ _id: 'catalogue' }, change, { upsert: true, session });
      }),
    async wasApplied(file) {
      return (await meta.findOne({ _id: 'catalogue', files: file })) !== null;
    },
  };
}

/** Schemas are stored as text: their keys begin with $, and their order matters to the registry. */
function toDocument(type: StoredEventType, at: Date): EventTypeDocument {
  const { name, description, deprecated, version, schema, examples } = type;
  return {
    _id: name,
    description,
    deprecated,
    version,
    schema: JSON.stringify(schema),
    examples: JSON.stringify(examples),
    changedAt: at,
  };
}

function fromDocument({
  _id,
  description,
  deprecated,
  version,
  schema,
  examples,
}: EventTypeDocument): StoredEventType {
  return {
    name: _id,
    description,
    deprecated,
    version,
    schema: JSON.parse(schema),
    examples: JSON.parse(examples),
  };
}
