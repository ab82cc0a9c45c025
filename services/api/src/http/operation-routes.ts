import type { Request, RequestHandler, Response } from 'express';
import type { BoundOperation } from '../document/bound-operations.js';
import type { OpenApiDocument } from '../document/openapi.js';
import { Refusal } from '../domain/refusal.js';
import type { StreamPermit } from '../domain/stream-query.js';
import type { Call, OpenCall } from '../operations/call.js';
import type { OpenStreams } from '../streams/open-streams.js';
import { type AdmissionParts, admitBearer } from './admit-bearer.js';
import type { ByteBudget } from './byte-budget.js';
import { idempotentRequest } from './idempotency-key.js';
import { limitRate } from './limit-rate.js';
import { createInputCheck, type InputCheck, readInput } from './read-input.js';
import { readmission } from './readmission.js';
import { contextOf } from './request-context.js';
import { requireAccess } from './require-access.js';
import { createRouteTable, type RouteMatch } from './route-table.js';
import { sendAnswer } from './send-answer.js';
import { isStreamed, serveStream } from './serve-stream.js';
import { sourceOf } from './source-of.js';

type Route = BoundOperation & InputCheck;
type Match = Extract<RouteMatch<Route>, { kind: 'route' }>;

interface OperationRoutesParts extends AdmissionParts {
  readonly streams: Pick<OpenStreams, 'open'>;
  readonly document: OpenApiDocument;
  readonly operations: readonly BoundOperation[];
  readonly bodies: ByteBudget;
  readonly answers: ByteBudget;
}

/**
 * Serves the operations of the document. The checks come in the order of the contract: route, rate limit, token,
 * workspace, permission, input. The body is read only once the caller may use the route. The operation itself checks
 * the state.
 */
export function operationRoutes({
  document,
  operations,
  streams,
  bodies,
  answers,
  ...admission
}: OperationRoutesParts): RequestHandler {
  const findRoute = createRouteTable(
    operations.map(
      (operation): Route => ({
        ...operation,
        ...createInputCheck(document, operation),
      }),
    ),
  );
  return async (request, response) => {
    const match = requireRoute(findRoute(request.method, request.path), response);
    const { route } = match;
    contextOf(response).route = route;
    const caller = await admit(admission, match, request, response);
    const { input, bytes } = await readInput(route, { request, response, bodies }, match.parameters);
    const idempotency = idempotentRequest(request, bytes);
    // After the response to a time-out, the operation must not run.
    if (response.writableEnded) return;
    const answer = await route.run(callOf(caller, idempotency), input);
    if (response.headersSent) return;
    if (isStreamed(route) && 'credential' in caller) {
      const permit = answer as StreamPermit;
      const bearer = { request, response, bucket: route.bucket, slug: match.slug };
      const mayContinue = readmission(admission, bearer, caller);
      return serveStream({ streams, permit, caller, mayContinue }, bearer);
    }
    response.status(route.success.status);
    if (answer === undefined) return void response.end();
    response.type('json');
    sendAnswer({ response, answers, isChange: route.method !== 'get' }, Buffer.from(JSON.stringify(answer)));
  };
}

function requireRoute(match: RouteMatch<Route>, response: Response): Match {
  switch (match.kind) {
    case 'route':
      return match;
    case 'wrong-method':
      response.set('allow', match.allowed.join(', '));
      throw new Refusal('MethodNotAllowed', `This route supports ${match.allowed.join(', ')}.`);
    case 'unknown-path':
      throw new Refusal(
        'RouteNotFound',
        'There is no such route. The document at /openapi.json lists all routes.',
      );
  }
}

type Caller = Awaited<ReturnType<typeof admitBearer>> | Omit<OpenCall, 'idempotency'>;

async function admit(
  admission: AdmissionParts,
  { route: { bucket, authorization, template, operationId }, slug }: Match,
  request: Request,
  response: Response,
): Promise<Caller> {
  if (authorization.kind === 'body') {
    await limitRate(admission, { request, response, bucket, token: null });
    const { traceId, spanId } = contextOf(response);
    return { slug, traceId, spanId, source: sourceOf(request, traceId) };
  }
  const named = template.includes('{slug}') ? slug : null;
  const caller = await admitBearer(admission, { request, response, bucket, slug: named });
  const permission = authorization.kind === 'permission' ? authorization.permission : null;
  requireAccess({ operationId, permission }, caller);
  return caller;
}

function callOf(caller: Caller, idempotency: OpenCall['idempotency']): Call | OpenCall {
  if (!('actor' in caller)) return { ...caller, idempotency };
  return { ...caller, idempotency: idempotency && { ...idempotency, scope: caller.actor.id } };
}
