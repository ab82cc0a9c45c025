import type { Request } from 'express';
import type { Input } from '../document/bound-operations.js';
import type { InputError } from '../domain/refusal.js';
import type { InputCheck } from './input-check.js';
import { type JsonBody, readJson } from './read-json.js';
import { refuseMistakes } from './refuse-mistakes.js';

interface RequestInput {
  readonly input: Input;
  /** Null when there is no body. */
  readonly bytes: Buffer | null;
}

/**
 * Reads query and body, checks both against the document and merges them with the path parameters.
 *
 * @throws Refusal `InvalidRequest` with all mistakes together, or what reading a body throws
 */
export async function readInput(
  { readQuery, checkBody }: InputCheck,
  request: Request,
  parameters: Input,
): Promise<RequestInput> {
  const { values, mistakes } = readQuery(request.query);
  const body = MAY_HAVE_BODY.has(request.method) ? await readJson(request) : null;
  refuseMistakes([...mistakes, ...bodyMistakes(checkBody, body)]);
  return { input: { ...values, ...(body?.value as Input), ...parameters }, bytes: body?.bytes ?? null };
}

const MAY_HAVE_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

function bodyMistakes(check: InputCheck['checkBody'], body: JsonBody | null): readonly InputError[] {
  if (check === null) {
    return body === null || isEmptyObject(body.value) ? [] : [{ path: 'body', message: 'must be left out' }];
  }
  return body === null ? [{ path: 'body', message: 'is required' }] : check(body.value);
}

/** Many clients send `{}` where no body is declared. */
function isEmptyObject(value: unknown): boolean {
  return JSON.stringify(value) === '{}';
}
