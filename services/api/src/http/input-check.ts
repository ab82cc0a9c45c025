import type { InputError } from '@postrider/shared/domain/refusal';
import type { OpenApiDocument, Operation, Parameter } from '../document/openapi.js';
import { type SchemaCheck, schemaCheck } from './schema-check.js';
import { textMistakes } from './text-mistakes.js';

export type BodyCheck = (body: unknown) => readonly InputError[];
export type QueryCheck = (query: Readonly<Record<string, unknown>>) => readonly InputError[];

/** Checks a body against the document; null when the operation takes none. */
export function bodyCheck(document: OpenApiDocument, { requestBody }: Operation): BodyCheck | null {
  const schema = requestBody?.content['application/json']?.schema;
  if (schema === undefined) return null;
  const check: SchemaCheck = schemaCheck(document, schema);
  return (body) => [...check(body), ...textMistakes(body)];
}

/** Checks the query parameters that the document names. Others are ignored, as everywhere on the web. */
export function queryCheck(document: OpenApiDocument, operation: Operation): QueryCheck {
  const parameters = operation.parameters.filter(isQueryParameter);
  const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
  const check = schemaCheck(document, { type: 'object', properties });
  const numeric = parameters.filter(({ schema }) => schema.type === 'number').map(({ name }) => name);
  return (query) => {
    const read = numeric.map((name) => [name, asNumber(query[name])] as const);
    return check({ ...query, ...Object.fromEntries(read.filter(([, value]) => value !== undefined)) });
  };
}

function isQueryParameter(parameter: Operation['parameters'][number]): parameter is Parameter {
  return 'in' in parameter && parameter.in === 'query';
}

const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/;

/** Text that is a number, however large, as a number; anything else as it is. */
function asNumber(text: unknown): unknown {
  if (typeof text !== 'string' || !NUMBER.test(text)) return text;
  return Math.min(Math.max(Number(text), -Number.MAX_VALUE), Number.MAX_VALUE);
}
