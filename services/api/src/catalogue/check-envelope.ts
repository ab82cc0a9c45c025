import {
  heldSchemas,
  IN_PLACE,
  type JsonSchema,
  type Path,
  type SchemaObject,
} from '@postrider/shared/catalogue/json-schema';
import { followReference } from '@postrider/shared/catalogue/resolve-references';
import { isRecord } from '@postrider/shared/domain/is-record';
import { createConflictsAt, type Place } from './envelope-conflicts.js';

/** Keywords whose schemas see the same value as the schema that has them. */
const SAME_VALUE: ReadonlySet<string> = new Set([...IN_PLACE, 'not']);

/** Keywords whose schemas only decide. The registered schema keeps them as they are; others it opens to unknown fields. */
const DECIDING: ReadonlySet<string> = new Set(['not', 'if']);

/**
 * Reports what could not hold for the fields that Postrider adds to every event, in each schema that describes the whole event:
 * the registered schema would refuse events that were accepted without these fields.
 */
export function checkEnvelope(root: SchemaObject, report: (path: Path, message: string) => void): void {
  const reported = new Set<string>();
  const reportOnce = (path: Path, message: string) => {
    const key = JSON.stringify(path);
    if (!reported.has(key)) report(path, message);
    reported.add(key);
  };
  const conflictsAt = createConflictsAt(root);
  const seen = new Set<string>();
  const visit = (schema: JsonSchema, place: Place) => {
    const key = JSON.stringify(place);
    if (!isRecord(schema) || seen.has(key)) return;
    seen.add(key);
    for (const { path, message } of conflictsAt(schema, place)) reportOnce([...place.path, ...path], message);
    for (const { keyword, path, schema: held } of heldSchemas(schema))
      if (SAME_VALUE.has(keyword))
        visit(held, {
          path: [...place.path, ...path],
          isDeciding: place.isDeciding || DECIDING.has(keyword),
        });
    const referred = followReference(root, schema.$ref);
    if (referred !== undefined) visit(referred.schema, { ...place, path: referred.path });
  };
  visit(root, { path: [], isDeciding: false });
}
