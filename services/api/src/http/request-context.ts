import type { Response } from 'express';
import type { RateBucket } from '../document/openapi.js';

/** The route of a request. */
export interface RequestedRoute {
  readonly template: string;
  /** Null where the route serves no operation, or the operation is not known yet. */
  readonly operationId: string | null;
  readonly bucket: RateBucket;
}

/** The data of one request, filled in by the checks one after the other. */
export interface RequestContext {
  /** W3C trace id, 32 hex digits. */
  traceId: string;
  /** Span id of the request itself, 16 hex digits; only if tracing is on. */
  spanId?: string;
  /** Set once path and method have selected a route. */
  route?: RequestedRoute;
  /** Set when the response is a stream, which is open as long as its client wants. */
  isStream?: boolean;
  /** Set once the caller is authenticated; for the access log. */
  caller?: { readonly workspaceId: string; readonly actorId: string };
}

export function contextOf(response: Response): RequestContext {
  return response.locals as RequestContext;
}
