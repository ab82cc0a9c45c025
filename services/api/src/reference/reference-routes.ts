import type { Request, Response } from 'express';
import helmet from 'helmet';
import type { PublicRoutes } from '../http/public-routes.js';
import { REFERENCE_PAGE, START_PATH, START_SCRIPT, VIEWER_PATH } from './reference-page.js';
import { type Viewer, viewerOnce } from './viewer.js';

const ITSELF = "'self'";

/** What guards the one page that we serve. No other host is named, so none is asked, whatever the viewer may wish. */
const guard = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: [ITSELF],
      // The viewer makes its style sheets as it goes.
      styleSrc: [ITSELF, "'unsafe-inline'"],
      imgSrc: [ITSELF, 'data:'],
      fontSrc: [ITSELF, 'data:'],
      connectSrc: [ITSELF],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  // Whoever terminates TLS decides about it, and for how many hosts.
  strictTransportSecurity: false,
});

/** The interactive reference: a page, the viewer, and what starts it. */
export function referenceRoutes(): PublicRoutes {
  const viewer = viewerOnce();
  return new Map<string, (response: Response, request: Request) => Promise<void> | void>([
    ['/reference', sendPage],
    [START_PATH, (response) => void response.type('js').send(START_SCRIPT)],
    [VIEWER_PATH, async (response, request) => sendViewer(await viewer(), request, response)],
  ]);
}

function sendPage(response: Response, request: Request): void {
  guard(request, response, (error?: unknown) => {
    if (error !== undefined) throw error;
    response.type('html').send(REFERENCE_PAGE);
  });
}

/** It changes with our own version only, and holds no secrets. */
function sendViewer({ plain, gzipped }: Viewer, request: Request, response: Response): void {
  response.set({ 'cache-control': 'public, max-age=3600', vary: 'accept-encoding' }).type('js');
  if (request.acceptsEncodings('gzip') === false) response.send(plain);
  else response.set('content-encoding', 'gzip').send(gzipped);
}
