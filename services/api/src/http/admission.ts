import { type Permission, permissionsOf } from '@postrider/shared/domain/permission';
import { type InputError, Refusal } from '@postrider/shared/domain/refusal';
import type { Request, RequestHandler, Response } from 'express';
import { authenticated, type Identified } from './authenticate.js';
import { exchangeOf } from './exchange.js';
import { idempotentRequest } from './idempotency-key.js';
import { type JsonBody, readJson } from './read-json.js';
import type { FindRoute, Route } from './route-table.js';

interface AdmissionParts {
  readonly findRoute: FindRoute;
  readonly identify: (authorization: string | undefined, slug: string) => Promise<Identified>;
}

/**
 * Every check between a request and its operation, in their one order: route, caller, workspace, permission, input.
 * The body is not even read before the caller may use the route. What is left to refuse is the operation's: state.
 */
export function admission({ findRoute, identify }: AdmissionParts): RequestHandler {
  return async (request, response, next) => {
    const exchange = exchangeOf(response);
    const { route, slug } = findOrRefuse(findRoute, request, response);
    exchange.route = route;

    const { token, workspace } = authenticated(await identify(request.get('authorization'), slug));
    exchange.caller = { workspaceId: workspace.id, actorId: token.id };
    const permissions = permissionsOf(token.scopes);
    refuseUnlessAllowed(route, permissions);

    const body = await readInput(route, request, response);
    const idempotency = idempotentRequest({
      method: request.method,
      path: request.path,
      body: body?.bytes ?? null,
      key: request.get('idempotency-key'),
      scope: token.id,
    });
    // Whoever was told that the answer took too long must not find it done later.
    if (response.writableEnded) return;
    request.body = body?.value;
    const actor = { type: 'api_token', id: token.id } as const;
    exchange.call = { workspace, actor, permissions, traceId: exchange.traceId, idempotency };
    next();
  };
}

function findOrRefuse(
  findRoute: FindRoute,
  request: Request,
  response: Response,
): { route: Route; slug: string } {
  const found = findRoute(request.method, request.path);
  switch (found.kind) {
    case 'route':
      return found;
    case 'wrong-method':
      response.set('allow', found.allowed.join(', '));
      throw new Refusal('MethodNotAllowed', `This route answers to ${found.allowed.join(', ')}.`);
    case 'nothing':
      throw new Refusal(
        'RouteNotFound',
        'There is no such route. The document at /openapi.json lists them all.',
      );
  }
}

function refuseUnlessAllowed({ permission }: Route, held: ReadonlySet<Permission>): void {
  if (held.has(permission)) return;
  throw new Refusal('Forbidden', `This needs the permission ${permission}, which the token does not grant.`);
}

/** Reads the body where one is expected and reports every mistake of query and body together. */
async function readInput(route: Route, request: Request, response: Response): Promise<JsonBody | null> {
  const mistakes = [...route.checkQuery(request.query)];
  const body = MAY_HAVE_BODY.has(request.method) ? await readJson(request, response) : null;
  mistakes.push(...mistakesOf(route, body));
  if (mistakes.length === 0) return body;
  throw new Refusal('InvalidRequest', sentenceOf(mistakes), mistakes);
}

const MAY_HAVE_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

function mistakesOf({ checkBody }: Route, body: JsonBody | null): readonly InputError[] {
  if (checkBody !== null)
    return body === null ? [{ path: 'body', message: 'is required' }] : checkBody(body.value);
  return body === null || isEmptyObject(body.value) ? [] : [{ path: 'body', message: 'must be left out' }];
}

function isEmptyObject(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
  );
}

function sentenceOf(mistakes: readonly InputError[]): string {
  return `${mistakes.map(({ path, message }) => `${path} ${message}`).join('; ')}.`;
}
