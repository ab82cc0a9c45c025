/**
 * Turns the schemas of OpenAPI 3.0 into those of 3.1, which are plain JSON Schema: `nullable` becomes an
 * additional type and `example` a list of examples. Works on any part of a document.
 */
export function toJsonSchema(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(toJsonSchema);
  if (typeof part !== 'object' || part === null) return part;
  const entries = Object.entries(part).map(([key, value]) => [
    key,
    isExample(key) ? value : toJsonSchema(value),
  ]);
  return withExamples(withNull(Object.fromEntries(entries)));
}

type Part = Record<string, unknown>;

function isExample(key: string): boolean {
  return key === 'example' || key === 'examples';
}

function withNull({ nullable, ...rest }: Part): Part {
  if (nullable !== true) return nullable === undefined ? rest : { ...rest, nullable };
  const { allOf, description, ...schema } = rest;
  const about = description === undefined ? {} : { description };
  if (Array.isArray(allOf)) return { anyOf: [...allOf, { type: 'null' }], ...about };
  const values = Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {};
  return { ...schema, ...values, type: [schema.type, 'null'], ...about };
}

/** Only a schema has a type; a media type keeps its `example`. */
function withExamples({ example, ...rest }: Part): Part {
  if (example === undefined) return rest;
  return 'type' in rest ? { ...rest, examples: [example] } : { ...rest, example };
}
