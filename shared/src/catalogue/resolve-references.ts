import { isRecord } from '../domain/is-record.js';
import {
  ANNOTATIONS,
  heldSchemas,
  isSchema,
  type JsonSchema,
  mapHeld,
  type Path,
  type SchemaObject,
} from './json-schema.js';
import type { Mistake } from './mistake.js';
import { formatPath } from './mistake.js';

/** Maximum number of schemas in one schema, with references replaced. */
const MAX_SCHEMAS = 2_000;
/** Maximum nesting depth of schemas, with references replaced. */
export const MAX_DEPTH = 20;

/** A schema without references, or why there is none. */
export type Resolved = { readonly schema: SchemaObject } | { readonly mistakes: readonly Mistake[] };

interface Place {
  readonly path: Path;
  /** The references that led here. */
  readonly through: readonly string[];
  readonly depth: number;
}

/**
 * Replaces each `$ref` by what it refers to. A reference must point into the same schema and not lead to itself, so the
 * result is finite; what would be too large is refused before it is built.
 *
 * @param root the schema into which references point
 * @param part the schema whose references are replaced: the whole one or a part of it
 */
export function resolveReferences(root: SchemaObject, part: SchemaObject = root): Resolved {
  const resolver = createResolver(root);
  const schema = resolver.resolve(part, { path: [], through: [], depth: 0 });
  return resolver.mistakes.length === 0 && isRecord(schema) ? { schema } : { mistakes: resolver.mistakes };
}

function createResolver(root: SchemaObject) {
  const mistakes: Mistake[] = [];
  let count = 0;
  const report = (path: Path, message: string): true => {
    mistakes.push({ path: formatPath(path), message });
    return true;
  };
  const resolve = (schema: JsonSchema, place: Place): JsonSchema => {
    count += 1;
    if (count === MAX_SCHEMAS + 1)
      return report([], `consists of more than ${MAX_SCHEMAS} schemas once its references are replaced`);
    if (count > MAX_SCHEMAS || typeof schema === 'boolean') return schema;
    if (place.depth > MAX_DEPTH) return report(place.path, `is nested deeper than ${MAX_DEPTH} levels`);
    const { $ref, $defs: _, ...own } = schema;
    const inner = mapHeld(own, ({ path, schema: held }) =>
      resolve(held, { ...place, path: [...place.path, ...path], depth: place.depth + 1 }),
    );
    return $ref === undefined ? inner : join(inner, target($ref, place));
  };
  const target = (reference: unknown, place: Place): JsonSchema => {
    const path = [...place.path, '$ref'];
    if (typeof reference !== 'string' || !reference.startsWith('#'))
      return report(path, 'must point into the same schema, such as #/$defs/name');
    if (place.through.includes(reference)) return report(path, 'leads to itself');
    const found = followReference(root, reference);
    if (found === undefined) return report(path, 'points to nothing');
    return resolve(found.schema, {
      path: place.path,
      through: [...place.through, reference],
      depth: place.depth + 1,
    });
  };
  return { resolve, mistakes };
}

/** The schema to which a reference points, and its place; undefined if it points to none in the same schema. */
export function followReference(
  root: SchemaObject,
  reference: unknown,
): { readonly schema: JsonSchema; readonly path: Path } | undefined {
  if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference)) return undefined;
  const path: (string | number)[] = [];
  let at: unknown = root;
  for (const part of reference.slice(1).split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    const key = Array.isArray(at) ? Number(name) : name;
    if (typeof key === 'number') at = (at as readonly unknown[])[key];
    else at = isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined;
    path.push(key);
  }
  return isSchema(at) ? { schema: at, path } : undefined;
}

/** The keywords beside a reference apply as well. */
function join(own: SchemaObject, referred: JsonSchema): JsonSchema {
  const onlyDescribes = Object.keys(own).every((keyword) => ANNOTATIONS.has(keyword));
  if (onlyDescribes) return isRecord(referred) ? { ...referred, ...own } : referred;
  return { ...own, allOf: [...((own.allOf as readonly JsonSchema[] | undefined) ?? []), referred] };
}

/** Calls `visit` for a schema and each schema in it, as written. */
export function visitSchemas(
  schema: JsonSchema,
  visit: (schema: JsonSchema, path: Path) => void,
  path: Path = [],
): void {
  visit(schema, path);
  if (path.length > 4 * MAX_DEPTH) return;
  for (const held of heldSchemas(schema)) visitSchemas(held.schema, visit, [...path, ...held.path]);
}
