import { type InputError, Refusal } from '@postrider/shared/domain/refusal';
import type { Request } from 'express';
import { type JsonBody, readJson } from './read-json.js';
import type { Route } from './route-table.js';
import { MAX_MISTAKES } from './schema-check.js';

/**
 * Reads the body where one may be, and checks query and body against the document.
 *
 * @returns the body; null when there is none
 * @throws Refusal `InvalidRequest` with all mistakes together, or what reading a body throws
 */
export async function readInput(route: Route, request: Request): Promise<JsonBody | null> {
  const mistakes = [...route.checkQuery(request.query)];
  const body = MAY_HAVE_BODY.has(request.method) ? await readJson(request) : null;
  mistakes.push(...bodyMistakes(route, body));
  if (mistakes.length === 0) return body;
  const told = mistakes.slice(0, MAX_MISTAKES).map(({ path, message }) => ({ path: shorten(path), message }));
  throw new Refusal('InvalidRequest', sentenceOf(told), told);
}

const MAY_HAVE_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);
const MAX_NAME_LENGTH = 100;

function bodyMistakes({ checkBody }: Route, body: JsonBody | null): readonly InputError[] {
  if (checkBody === null) {
    return body === null || isEmptyObject(body.value) ? [] : [{ path: 'body', message: 'must be left out' }];
  }
  return body === null ? [{ path: 'body', message: 'is required' }] : checkBody(body.value);
}

/** Many clients send `{}` where nothing is asked for. */
function isEmptyObject(value: unknown): boolean {
  return JSON.stringify(value) === '{}';
}

/** What callers make up is not repeated to them at any length. */
function shorten(name: string): string {
  return name.length <= MAX_NAME_LENGTH ? name : `${name.slice(0, MAX_NAME_LENGTH)}…`;
}

function sentenceOf(mistakes: readonly InputError[]): string {
  return `${mistakes.map(({ path, message }) => `${path} ${message}`).join('; ')}.`;
}
