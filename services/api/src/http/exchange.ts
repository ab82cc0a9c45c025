import type { Request, Response } from 'express';
import type { RateBucket } from '../document/openapi.js';
import type { Call, OpenCall } from '../operations/call.js';

/** What a request asks for. The operation is null where it is none, or not known yet. */
export interface AskedRoute {
  readonly template: string;
  readonly operationId: string | null;
  readonly bucket: RateBucket;
}

/** What is known about one request and its answer. It grows as the request passes the checks. */
export interface Exchange {
  /** W3C trace id, 32 hex digits. */
  traceId: string;
  /** Of the request itself, 16 hex digits; only where there is tracing. */
  spanId?: string;
  /** Set once the path and method are known to be a route. */
  route?: AskedRoute;
  /** Set once the caller is known; for the log. */
  caller?: { readonly workspaceId: string; readonly actorId: string };
  /** Set once every check is passed. */
  call?: Call;
  /** Set instead of `call` for a route that needs no bearer. */
  openCall?: OpenCall;
}

export function exchangeOf(response: Response): Exchange {
  return response.locals as Exchange;
}

/** The admitted call of a request. @throws Error when nobody admitted it: then nothing may run */
export function callOf(request: Request): Call {
  const call = request.res && exchangeOf(request.res).call;
  if (call === undefined) throw new Error('a request got past admission');
  return call;
}

/** The call of a request that needs no bearer. @throws Error when nobody admitted it as one */
export function openCallOf(request: Request): OpenCall {
  const call = request.res && exchangeOf(request.res).openCall;
  if (call === undefined) throw new Error('a request got past admission');
  return call;
}
