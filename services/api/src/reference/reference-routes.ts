import type { Request, Response } from 'express';
import helmet from 'helmet';
import type { PublicRoutes } from '../http/public-routes.js';
import { REFERENCE_PAGE, START_PATH, START_SCRIPT, VIEWER_PATH } from './reference-page.js';
import { createViewerLoader, type Viewer } from './viewer.js';

const SELF = "'self'";

/** Protects the page. The policy allows no other host, so the viewer cannot contact any. */
const setSecurityHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: [SELF],
      // The viewer creates style sheets at run time.
      styleSrc: [SELF, "'unsafe-inline'"],
      imgSrc: [SELF, 'data:'],
      fontSrc: [SELF, 'data:'],
      connectSrc: [SELF],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  // Set by the proxy that terminates TLS.
  strictTransportSecurity: false,
});

/** Serves the interactive API reference: the page, the viewer and its start script. */
export function createReferenceRoutes(): PublicRoutes {
  const loadViewer = createViewerLoader();
  return new Map<string, (response: Response, request: Request) => Promise<void> | void>([
    ['/reference', sendPage],
    [START_PATH, (response) => void response.type('js').send(START_SCRIPT)],
    [VIEWER_PATH, async (response, request) => sendViewer(await loadViewer(), request, response)],
  ]);
}

function sendPage(response: Response, request: Request): void {
  setSecurityHeaders(request, response, (error?: unknown) => {
    if (error !== undefined) throw error;
    response.type('html').send(REFERENCE_PAGE);
  });
}

/** The script only changes with a new version of the api, and contains no secrets. */
function sendViewer({ plain, gzipped }: Viewer, request: Request, response: Response): void {
  response.set({ 'cache-control': 'public, max-age=3600', vary: 'accept-encoding' }).type('js');
  if (request.acceptsEncodings('gzip') === false) response.send(plain);
  else response.set('content-encoding', 'gzip').send(gzipped);
}
