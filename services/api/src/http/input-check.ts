import type { OpenApiDocument, Operation, Parameter } from '../document/openapi.js';
import type { InputError } from '../domain/refusal.js';
import { schemaCheck } from './schema-check.js';
import { textMistakes } from './text-mistakes.js';

type Query = Readonly<Record<string, unknown>>;
type BodyCheck = (body: unknown) => readonly InputError[];

/** Reads the declared parameters of a query and reports every mistake in them. */
type QueryReader = (query: Query) => { readonly values: Query; readonly mistakes: readonly InputError[] };

/** The checks of one operation, compiled from the document. */
export interface InputCheck {
  readonly readQuery: QueryReader;
  /** Null when the operation takes no body. */
  readonly checkBody: BodyCheck | null;
}

export function createInputCheck(document: OpenApiDocument, operation: Operation): InputCheck {
  return { readQuery: queryReader(document, operation), checkBody: bodyCheck(document, operation) };
}

function bodyCheck(document: OpenApiDocument, { requestBody }: Operation): BodyCheck | null {
  const schema = requestBody?.content['application/json']?.schema;
  if (schema === undefined) return null;
  const check = schemaCheck(document, schema);
  return (body) => [...check(body), ...textMistakes(body)];
}

/** Ignores query parameters that the document does not declare, as is usual on the web. */
function queryReader(document: OpenApiDocument, operation: Operation): QueryReader {
  const parameters = operation.parameters.filter(isQueryParameter);
  const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
  const check = schemaCheck(document, { type: 'object', properties });
  return (query) => {
    const values = Object.fromEntries(
      parameters.flatMap(({ name, schema }) => {
        const text = query[name];
        if (text === undefined) return [];
        return [[name, schema.type === 'number' ? asNumber(text) : text]];
      }),
    );
    return { values, mistakes: check(values) };
  };
}

function isQueryParameter(parameter: Operation['parameters'][number]): parameter is Parameter {
  return 'in' in parameter && parameter.in === 'query';
}

const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/;

/** Converts text that is a number, however large; returns anything else unchanged. */
function asNumber(text: unknown): unknown {
  if (typeof text !== 'string' || !NUMBER.test(text)) return text;
  return Math.min(Math.max(Number(text), -Number.MAX_VALUE), Number.MAX_VALUE);
}
