import type { InputError } from '@postrider/shared/domain/refusal';
import type { Request } from 'express';
import { type JsonBody, readJson } from './read-json.js';
import { refuseMistakes } from './refuse-mistakes.js';
import type { Route } from './route-table.js';

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
  refuseMistakes(mistakes);
  return body;
}

const MAY_HAVE_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

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
