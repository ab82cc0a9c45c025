import { isDeepStrictEqual } from 'node:util';
import type { EventTypeDefinition, StoredEventType } from '@postrider/shared/catalogue/event-type-definition';
import type { SchemaObject } from '@postrider/shared/catalogue/json-schema';
import type { Mistake } from '@postrider/shared/catalogue/mistake';
import { resolveReferences } from '@postrider/shared/catalogue/resolve-references';
import { mistakesOfType } from './check-event-type.js';
import { narrowings } from './compare-schemas.js';
import { formatCatalogue } from './format-catalogue.js';
import {
  MAX_FILE_BYTES,
  MAX_TYPES,
  type ParsedFile,
  type PlacedType,
  pathInFile,
} from './parse-catalogue.js';

/** Whether a file holds the whole catalogue: then leaving out a stored type is a mistake. */
export type Extent = 'whole' | 'partial';

/** The effect of applying a file on one type. */
export interface TypeChange {
  readonly type: StoredEventType;
  /** The parts that change; `added` alone for a new type, none when nothing changes. */
  readonly changed: readonly ('added' | 'description' | 'schema' | 'examples' | 'deprecated')[];
}

export type Plan = { readonly changes: readonly TypeChange[] } | { readonly mistakes: readonly Mistake[] };

/** Checks a file against the stored catalogue. Finds every mistake or, if there is none, the changes. */
export function planChanges(
  parsed: ParsedFile,
  stored: ReadonlyMap<string, StoredEventType>,
  extent: Extent,
): Plan {
  const types = 'file' in parsed ? parsed.file.map(placed) : parsed.types;
  const mistakes = [
    ...('file' in parsed ? [] : parsed.mistakes),
    ...(types ?? []).flatMap((type, place) => mistakesIn(type, (types ?? []).slice(0, place), stored)),
    ...(extent === 'whole' && types !== null ? missing(types, stored) : []),
  ];
  if (mistakes.length > 0 || !('file' in parsed)) return { mistakes };
  const tooMuch = extent === 'partial' ? beyondOneFile(parsed.file, stored) : [];
  if (tooMuch.length > 0) return { mistakes: tooMuch };
  return { changes: parsed.file.map((type) => changeOf(type, stored.get(type.name))) };
}

function placed(definition: EventTypeDefinition, index: number): PlacedType {
  return { index, name: definition.name, schema: definition.schema, definition };
}

function mistakesIn(
  type: PlacedType,
  earlier: readonly PlacedType[],
  stored: ReadonlyMap<string, StoredEventType>,
): readonly Mistake[] {
  const { index, name, schema } = type;
  const isRepeated = name !== null && earlier.some((other) => other.name === name);
  const repeated = isRepeated ? [{ path: 'name', message: 'occurs twice' }] : [];
  const own = mistakesOfType(type);
  const before = name === null ? undefined : stored.get(name);
  const isComparable = schema !== null && before !== undefined && !own.some(isOfSchema);
  const narrowed = isComparable ? incompatible(before.schema, schema) : [];
  return below(index, [...own, ...repeated, ...narrowed]);
}

const isOfSchema = ({ path }: Mistake) => /^schema\b/.test(path);

function incompatible(before: SchemaObject, after: SchemaObject): readonly Mistake[] {
  const [old, now] = [resolveReferences(before), resolveReferences(after)];
  return 'schema' in old && 'schema' in now ? narrowings(old.schema, now.schema) : [];
}

function missing(
  types: readonly PlacedType[],
  stored: ReadonlyMap<string, StoredEventType>,
): readonly Mistake[] {
  const names = new Set(types.map(({ name }) => name));
  return [...stored.keys()]
    .filter((name) => !names.has(name))
    .map((name) => ({
      path: 'eventTypes',
      message: `lacks ${name}, which is stored: keep it with "deprecated: true", or apply the file with --partial`,
    }));
}

/** A catalogue that no file could hold could never be applied as a whole again. */
function beyondOneFile(
  types: readonly EventTypeDefinition[],
  stored: ReadonlyMap<string, StoredEventType>,
): readonly Mistake[] {
  const all = new Map<string, EventTypeDefinition>([
    ...stored,
    ...types.map((type) => [type.name, type] as const),
  ]);
  const refuse = (message: string) => [
    { path: 'eventTypes', message: `${message}, with the types that are stored` },
  ];
  if (all.size > MAX_TYPES) return refuse(`must be at most ${MAX_TYPES} types`);
  const bytes = Buffer.byteLength(formatCatalogue([...all.values()], 'yaml'));
  return bytes > MAX_FILE_BYTES ? refuse(`must have at most ${MAX_FILE_BYTES} bytes as a file`) : [];
}

function below(index: number, mistakes: readonly Mistake[]): readonly Mistake[] {
  return mistakes.map(({ path, message }) => ({ path: pathInFile(index, path), message }));
}

function changeOf(type: EventTypeDefinition, before: StoredEventType | undefined): TypeChange {
  if (before === undefined) return { type: { ...type, version: 1 }, changed: ['added'] };
  const changed = (['description', 'schema', 'examples', 'deprecated'] as const).filter(
    (part) => !isDeepStrictEqual(type[part], before[part]),
  );
  const version = before.version + (changed.includes('schema') ? 1 : 0);
  return { type: { ...type, version }, changed };
}
