import type { JsonSchema, SchemaObject } from '@postrider/shared/catalogue/json-schema';
import { IN_PLACE, schemasByName, schemaUnder } from '@postrider/shared/catalogue/json-schema';
import { type Described, describesField } from '@postrider/shared/catalogue/project';
import type { PartComparison } from './compare-schemas.js';

interface FieldsComparison extends PartComparison {
  /** What all old schemas of the object say about its fields. */
  readonly kept: Described;
}

/** Compares what a schema says about the fields of an object. */
export function compareFields(before: SchemaObject, after: SchemaObject, parts: FieldsComparison): void {
  compareNamed(before, after, parts);
  compareNew(before, after, parts);
  comparePatterns(before, after, parts);
  compareRequired(before, after, parts);
  compareAdditional(before, after, parts);
  compareUnevaluated(before, after, parts);
}

function compareNamed(
  before: SchemaObject,
  after: SchemaObject,
  { path, report, compare }: PartComparison,
): void {
  const now = schemasByName(after, 'properties');
  for (const [name, old] of Object.entries(schemasByName(before, 'properties'))) {
    const place = [...path, 'properties', name];
    const schema = Object.hasOwn(now, name) ? now[name] : undefined;
    if (schema === undefined) report(place, 'must stay: fields cannot be removed');
    else compare(old, schema, place);
  }
}

/** For a field that is named for the first time, the values that it could have before must stay valid. */
function compareNew(
  before: SchemaObject,
  after: SchemaObject,
  { path, kept, compare }: FieldsComparison,
): void {
  const known = schemasByName(before, 'properties');
  for (const [name, now] of Object.entries(schemasByName(after, 'properties'))) {
    if (Object.hasOwn(known, name)) continue;
    for (const old of schemasOfUnnamed(before, name, kept)) compare(old, now, [...path, 'properties', name]);
  }
}

/**
 * The schemas that applied to a field which the old schema did not name; none if such fields were dropped or refused, because
 * then no event has one.
 */
function schemasOfUnnamed(before: SchemaObject, name: string, kept: Described): readonly JsonSchema[] {
  const patterns = Object.entries(schemasByName(before, 'patternProperties'))
    .filter(([pattern]) => new RegExp(pattern, 'u').test(name))
    .map(([, schema]) => schema);
  if (patterns.length > 0) return patterns;
  const additional = schemaUnder(before, 'additionalProperties');
  if (additional !== undefined) return additional === false ? [] : [additional];
  const unevaluated = schemaUnder(before, 'unevaluatedProperties');
  // It does not apply to fields that parts name.
  const hasParts = IN_PLACE.some((keyword) => before[keyword] !== undefined);
  if (unevaluated !== undefined && unevaluated !== false && !hasParts) return [unevaluated];
  const keptAll = before.properties === undefined && unevaluated === undefined;
  return mayBeObject(before) && (keptAll || describesField(kept, name)) ? [true] : [];
}

function mayBeObject({ type }: SchemaObject): boolean {
  return type === undefined || [type].flat().includes('object');
}

function comparePatterns(
  before: SchemaObject,
  after: SchemaObject,
  { path, report, compare }: PartComparison,
): void {
  const [old, now] = [schemasByName(before, 'patternProperties'), schemasByName(after, 'patternProperties')];
  for (const pattern of new Set([...Object.keys(old), ...Object.keys(now)])) {
    const place = [...path, 'patternProperties', pattern];
    const [was, is] = [old[pattern], now[pattern]];
    if (was === undefined) report(place, 'cannot be added: fields that match it were free before');
    else if (is === undefined) report(place, 'must stay: fields cannot be removed');
    else compare(was, is, place);
  }
}

function compareRequired(before: SchemaObject, after: SchemaObject, { path, report }: PartComparison): void {
  const old = namesIn(before.required);
  for (const name of namesIn(after.required))
    if (!old.includes(name))
      report([...path, 'required'], `must not require ${name}, which was optional before`);
  const dependencies = (schema: SchemaObject) =>
    Object.entries((schema.dependentRequired ?? {}) as Readonly<Record<string, unknown>>).flatMap(
      ([name, needed]) => namesIn(needed).map((other) => `${other} with ${name}`),
    );
  const known = dependencies(before);
  for (const dependency of dependencies(after))
    if (!known.includes(dependency))
      report([...path, 'dependentRequired'], `must not require ${dependency}, which was optional before`);
}

function namesIn(list: unknown): readonly string[] {
  return Array.isArray(list) ? list : [];
}

function compareAdditional(
  before: SchemaObject,
  after: SchemaObject,
  { path, report, compare }: PartComparison,
): void {
  const place = [...path, 'additionalProperties'];
  const [old, now] = [
    schemaUnder(before, 'additionalProperties'),
    schemaUnder(after, 'additionalProperties'),
  ];
  if (old === false) return;
  if (old !== undefined && (now === undefined || now === false))
    report(place, 'must still allow other fields, which would be dropped or refused');
  else if (now === undefined) compareListing(before, after, { path, report, compare });
  else if (old !== undefined) compare(old, now, place);
  else if (now !== true) report(place, 'must not restrict what was unrestricted before');
}

/** A keyword that keeps fields not named elsewhere can be removed only if all fields are kept anyway. */
function compareUnevaluated(
  before: SchemaObject,
  after: SchemaObject,
  { path, report }: PartComparison,
): void {
  const [old, now] = [before.unevaluatedProperties, after.unevaluatedProperties];
  const keptOthers = old !== undefined && old !== false;
  if (keptOthers && now === undefined && after.additionalProperties !== true)
    report([...path, 'unevaluatedProperties'], 'must still allow other fields, which would be dropped');
}

/** An object without `properties` keeps all fields; with them it drops the others. */
function compareListing(before: SchemaObject, after: SchemaObject, { path, report }: PartComparison): void {
  const keptAll = before.properties === undefined && mayBeObject(before);
  if (keptAll && after.properties !== undefined)
    report(
      [...path, 'properties'],
      'must come with "additionalProperties: true", because all fields were kept before',
    );
}
