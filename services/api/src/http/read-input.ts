import type { BoundOperation, Input } from '../document/bound-operations.js';
import type { OpenApiDocument, Operation, Parameter } from '../document/openapi.js';
import type { InputError, Mistake } from '../domain/refusal.js';
import { inputCheck } from './input-check.js';
import { refuseMistakes } from './mistakes.js';
import { type BodyRequest, type JsonBody, maxBodyBytesOf, readJson } from './read-json.js';
import { schemaCheck } from './schema-check.js';

type BodyCheck = (body: unknown) => readonly Mistake[];

/** Reads the declared parameters of a query and reports every mistake in them. */
type QueryReader = (query: Input) => { readonly values: Input; readonly mistakes: readonly InputError[] };

/** The checks of one operation, compiled from the document. */
export interface InputCheck {
  readonly readQuery: QueryReader;
  readonly checkBody: BodyCheck;
  readonly needsBody: boolean;
  readonly maxBodyBytes: number;
}

type Checked = Pick<BoundOperation, 'declaration' | 'mistakesIn'>;

export function createInputCheck(document: OpenApiDocument, operation: Checked): InputCheck {
  const { declaration } = operation;
  return {
    readQuery: queryReader(document, declaration),
    checkBody: bodyCheck(document, operation),
    needsBody: schemaOfBody(declaration) !== undefined,
    maxBodyBytes: maxBodyBytesOf(declaration),
  };
}

/** Many clients send `{}` where no body is declared. */
const NO_FIELDS = { type: 'object', properties: {}, additionalProperties: false } as const;

function bodyCheck(document: OpenApiDocument, operation: Checked): BodyCheck {
  const schema = schemaOfBody(operation.declaration);
  return schema === undefined ? schemaCheck(document, NO_FIELDS) : inputCheck(document, operation, schema);
}

function schemaOfBody({ requestBody }: Operation) {
  return requestBody?.content['application/json']?.schema;
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
        return [[name, asType(schema.type, text)]];
      }),
    );
    return { values, mistakes: check(values) };
  };
}

function isQueryParameter(parameter: Operation['parameters'][number]): parameter is Parameter {
  return 'in' in parameter && parameter.in === 'query';
}

/** Converts a query text to its declared type; returns a text that is not of that type unchanged. */
function asType(type: unknown, text: unknown): unknown {
  if (type === 'number') return asNumber(text);
  return type === 'boolean' && (text === 'true' || text === 'false') ? text === 'true' : text;
}

/** No two parts can match the same digits: a text of digits alone is matched in linear time. */
const NUMBER = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/;

/** Converts text that is a number, however large; returns anything else unchanged. */
function asNumber(text: unknown): unknown {
  if (typeof text !== 'string' || !NUMBER.test(text)) return text;
  return Math.min(Math.max(Number(text), -Number.MAX_VALUE), Number.MAX_VALUE);
}

interface RequestInput {
  readonly input: Input;
  /** Null when there is no body. */
  readonly bytes: Buffer | null;
}

/**
 * Reads query and body, checks both against the document and merges them with the path parameters.
 *
 * @throws Refusal with all mistakes together, or a refusal from reading the body
 */
export async function readInput(
  { readQuery, maxBodyBytes, ...bodyRules }: InputCheck,
  from: BodyRequest,
  parameters: Input,
): Promise<RequestInput> {
  const { values, mistakes } = readQuery(from.request.query);
  const body = MAY_HAVE_BODY.has(from.request.method) ? await readJson(from, maxBodyBytes) : null;
  refuseMistakes([...mistakes, ...bodyMistakes(bodyRules, body)]);
  return { input: { ...values, ...(body?.value as Input), ...parameters }, bytes: body?.bytes ?? null };
}

const MAY_HAVE_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

function bodyMistakes(
  { checkBody, needsBody }: Pick<InputCheck, 'checkBody' | 'needsBody'>,
  body: JsonBody | null,
): readonly Mistake[] {
  if (body !== null) return checkBody(body.value);
  return needsBody ? [{ path: 'body', message: 'is required' }] : [];
}
