import type { RequestHandler } from 'express';

interface CrossOriginRules {
  /** The origins whose web pages may use the paths. */
  readonly origins: readonly string[];
  readonly paths: ReadonlySet<string>;
}

/** Answers a preflight request: the browser asks whether a page may send a request, before it sends the credentials. */
const PREFLIGHT = {
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'authorization, content-type, mcp-protocol-version, traceparent',
  'access-control-max-age': '7200',
};
/** The response headers that pages may read. */
const EXPOSED = 'www-authenticate, x-trace-id, retry-after, ratelimit, ratelimit-policy';

/**
 * Lets web pages of the given origins read the answers of these paths (CORS). Other pages get answers without these
 * headers, which browsers hide from them. Cookies are not allowed: no path of the api uses them.
 */
export function crossOrigin({ origins, paths }: CrossOriginRules): RequestHandler {
  return (request, response, next) => {
    if (!paths.has(request.path)) return next();
    response.vary('origin');
    const { origin } = request.headers;
    if (origin === undefined || !origins.includes(origin)) return next();
    response.set({ 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED });
    const isPreflight =
      request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
    if (!isPreflight) return next();
    response.set(PREFLIGHT).status(204).end();
  };
}
