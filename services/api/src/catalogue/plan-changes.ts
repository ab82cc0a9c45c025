import { isDeepStrictEqual } from 'node:util';
import type { EventTypeDefinition, StoredEventType } from '@postrider/shared/catalogue/event-type-definition';
import type { Mistake } from '@postrider/shared/catalogue/mistake';
import { resolveReferences } from '@postrider/shared/catalogue/resolve-references';
import { mistakesOfType } from './check-event-type.js';
import { narrowings } from './compare-schemas.js';
import { type CatalogueFile, pathInFile } from './parse-catalogue.js';

/** Whether a file holds the whole catalogue: then leaving out a stored type is a mistake. */
export type Extent = 'whole' | 'partial';

/** What applying a file does to one type. */
export interface TypeChange {
  readonly type: StoredEventType;
  /** The parts that change; `added` alone for a new type, none when nothing changes. */
  readonly changed: readonly ('added' | 'description' | 'schema' | 'examples' | 'deprecated')[];
}

export type Plan = { readonly changes: readonly TypeChange[] } | { readonly mistakes: readonly Mistake[] };

/** Checks a file against the stored catalogue. Finds every mistake; without one it says what changes. */
export function planChanges(
  file: CatalogueFile,
  stored: ReadonlyMap<string, StoredEventType>,
  extent: Extent,
): Plan {
  const mistakes = [
    ...file.flatMap((type, index) => below(index, mistakesIn(type, file.slice(0, index), stored))),
    ...(extent === 'whole' ? missing(file, stored) : []),
  ];
  if (mistakes.length > 0) return { mistakes };
  return { changes: file.map((type) => changeOf(type, stored.get(type.name))) };
}

function mistakesIn(
  type: EventTypeDefinition,
  earlier: CatalogueFile,
  stored: ReadonlyMap<string, StoredEventType>,
): readonly Mistake[] {
  const own = mistakesOfType(type);
  const repeated = earlier.some(({ name }) => name === type.name)
    ? [{ path: 'name', message: 'occurs twice' }]
    : [];
  const before = stored.get(type.name);
  const isComparable = before !== undefined && own.length === 0;
  return [...own, ...repeated, ...(isComparable ? incompatible(before, type) : [])];
}

function incompatible(before: StoredEventType, after: EventTypeDefinition): readonly Mistake[] {
  const [old, now] = [resolveReferences(before.schema), resolveReferences(after.schema)];
  return 'schema' in old && 'schema' in now ? narrowings(old.schema, now.schema) : [];
}

function missing(file: CatalogueFile, stored: ReadonlyMap<string, StoredEventType>): readonly Mistake[] {
  const names = new Set(file.map(({ name }) => name));
  return [...stored.keys()]
    .filter((name) => !names.has(name))
    .map((name) => ({
      path: 'eventTypes',
      message: `lacks ${name}, which is stored: keep it with "deprecated: true", or apply the file with --partial`,
    }));
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
