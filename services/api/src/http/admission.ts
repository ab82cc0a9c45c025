import { type Permission, permissionsOf } from '@postrider/shared/domain/permission';
import { Refusal } from '@postrider/shared/domain/refusal';
import type { Request, RequestHandler, Response } from 'express';
import type { Call, OpenCall } from '../operations/call.js';
import type { RateLimits } from '../rate-limits/rate-limits.js';
import { authenticated, type Identified } from './authenticate.js';
import { exchangeOf } from './exchange.js';
import { idempotentRequest } from './idempotency-key.js';
import { limitRate } from './limit-rate.js';
import { readInput } from './read-input.js';
import type { FindRoute, Route } from './route-table.js';

interface AdmissionParts {
  readonly findRoute: FindRoute;
  readonly identify: (authorization: string | undefined, slug: string) => Promise<Identified>;
  readonly limits: RateLimits;
}

/**
 * Every check between a request and its operation, in their one order: route, rate, caller, workspace, permission,
 * input. The body is not even read before the caller may use the route. What is left to refuse is the operation's:
 * state.
 */
export function admission(parts: AdmissionParts): RequestHandler {
  return async (request, response, next) => {
    const { route, slug } = findOrRefuse(parts.findRoute, request, response);
    const exchange = exchangeOf(response);
    exchange.route = route;
    if (route.permission === null)
      exchange.openCall = await admitOpen(parts, { request, response, route, slug });
    else exchange.call = await admitBearer(parts, { request, response, route, slug }, route.permission);
    // Whoever was told that the answer took too long must not find it done later.
    if (!response.writableEnded) next();
  };
}

interface Asked {
  readonly request: Request;
  readonly response: Response;
  readonly route: Route;
  readonly slug: string;
}

async function admitOpen(
  { limits }: AdmissionParts,
  { request, response, route, slug }: Asked,
): Promise<OpenCall> {
  await limitRate(limits, { request, response, bucket: route.bucket, token: null });
  const { traceId, spanId } = exchangeOf(response);
  return { slug, traceId, spanId, idempotency: await readRequest(route, request) };
}

async function admitBearer(
  { identify, limits }: AdmissionParts,
  { request, response, route, slug }: Asked,
  permission: Permission,
): Promise<Call> {
  const identified = await identify(request.get('authorization'), slug);
  await limitRate(limits, { request, response, bucket: route.bucket, token: identified.token });
  const { token, workspace } = authenticated(identified);
  const exchange = exchangeOf(response);
  exchange.caller = { workspaceId: workspace.id, actorId: token.id };
  const permissions = permissionsOf(token.scopes);
  refuseUnlessAllowed(permission, permissions);
  const repeatable = await readRequest(route, request);
  const idempotency = repeatable && { ...repeatable, scope: token.id };
  const actor = { type: 'api_token', id: token.id } as const;
  const { traceId, spanId } = exchange;
  return { workspace, actor, permissions, traceId, spanId, idempotency };
}

/** Reads and checks the body, and says whether the request may be sent again. */
async function readRequest(route: Route, request: Request): Promise<OpenCall['idempotency']> {
  const body = await readInput(route, request);
  request.body = body?.value;
  return idempotentRequest({
    method: request.method,
    path: request.path,
    body: body?.bytes ?? null,
    key: request.get('idempotency-key'),
  });
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

/** @throws Refusal `Forbidden` */
export function refuseUnlessAllowed(permission: Permission, held: ReadonlySet<Permission>): void {
  if (held.has(permission)) return;
  throw new Refusal('Forbidden', `This needs the permission ${permission}, which the token does not grant.`);
}
