import type { Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';
import { Refusal } from '../domain/refusal.js';
import { requireRead } from '../http/require-read.js';
import { createSiteLoader, type SiteFile } from './site.js';

const PREFIX = '/console/';
const SELF = "'self'";

interface ConsoleSettings {
  /** The origins that may embed the console; none by default. */
  readonly frameAncestors: readonly string[];
}

/** Serves the console, a static client of the REST API. Its addresses are in the fragment, so every path is a file. */
export function consoleRoute({ frameAncestors }: ConsoleSettings): RequestHandler {
  const loadSite = createSiteLoader();
  const setSecurityHeaders = securityHeaders(frameAncestors);
  return async (request, response, next) => {
    if (request.path !== '/console' && !request.path.startsWith(PREFIX)) return next();
    requireRead(request, response);
    // Relative, so that it works behind a path prefix.
    if (request.path === '/console') return response.redirect(308, 'console/');
    const site = await loadSite();
    const file = site.get(request.path.slice(PREFIX.length) || 'index.html');
    if (file === undefined) throw new Refusal('RouteNotFound', 'The console has no such file.');
    setSecurityHeaders(request, response, (error?: unknown) => {
      if (error !== undefined) throw error;
      sendFile(file, request, response);
    });
  };
}

/** Allows no other host, no inline script and no inline style. */
function securityHeaders(frameAncestors: readonly string[]) {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: [SELF],
        styleSrc: [SELF],
        imgSrc: [SELF],
        fontSrc: [SELF],
        connectSrc: [SELF],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: frameAncestors.length === 0 ? ["'none'"] : [...frameAncestors],
      },
    },
    referrerPolicy: { policy: 'no-referrer' },
    // The policy above decides; this header cannot contain a list of origins.
    xFrameOptions: frameAncestors.length === 0 ? { action: 'deny' } : false,
    // Set by the proxy that terminates TLS.
    strictTransportSecurity: false,
  });
}

function sendFile(
  { type, plain, compressed, isHashed }: SiteFile,
  request: Request,
  response: Response,
): void {
  const caching = isHashed ? 'public, max-age=31536000, immutable' : 'no-cache';
  response.set({ 'cache-control': caching, vary: 'accept-encoding' }).type(type);
  if (request.acceptsEncodings('br') === false) response.send(plain);
  else response.set('content-encoding', 'br').send(compressed);
}
