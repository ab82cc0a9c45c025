import type { OpenApiDocument, Schema } from './openapi.js';

/** Replaces each reference in a schema by the schema that it refers to. None refers to itself. */
export function resolveSchema(document: OpenApiDocument, schema: Schema): Schema {
  return resolve(document, schema) as Schema;
}

function resolve(document: OpenApiDocument, part: unknown): unknown {
  if (Array.isArray(part)) return part.map((item) => resolve(document, item));
  if (typeof part !== 'object' || part === null) return part;
  if ('$ref' in part && typeof part.$ref === 'string') {
    const { $ref, ...about } = part;
    const target = document.components.schemas[$ref.replace('#/components/schemas/', '')];
    return { ...(resolve(document, target) as object), ...about };
  }
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, resolve(document, value)]));
}
