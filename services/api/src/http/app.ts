import type { Log } from '@postrider/shared/ports/log';
import type { Tracing } from '@postrider/shared/ports/tracing';
import express, { type Express } from 'express';
import type { AsyncApiDocument } from '../document/asyncapi.js';
import type { OpenApiDocument } from '../document/openapi.js';
import { RegisterRoutes } from '../generated/routes.js';
import { mcpRoute } from '../mcp/mcp-route.js';
import { toolsOf } from '../mcp/tools.js';
import type { Operations } from '../operations/operations.js';
import type { RateLimits } from '../rate-limits/rate-limits.js';
import type { TrustProxy } from '../rate-limits/trust-proxy.js';
import { referenceRoutes } from '../reference/reference-routes.js';
import { accessLog, type RequestFacts } from './access-log.js';
import { admission } from './admission.js';
import type { Identified } from './authenticate.js';
import { deadline } from './deadline.js';
import { dropLingeringUpload } from './drop-lingering-upload.js';
import { answerReadiness, liveness } from './health.js';
import { publicRoutes } from './public-routes.js';
import { explanation, refuse } from './refuse.js';
import { responseHeaders } from './response-headers.js';
import { routeTable } from './route-table.js';
import { traceRequests } from './trace-requests.js';

interface AppParts {
  readonly document: OpenApiDocument;
  readonly topics: AsyncApiDocument;
  readonly identify: (authorization: string | undefined, slug: string | null) => Promise<Identified>;
  readonly operations: Operations;
  readonly limits: RateLimits;
  readonly trustProxy: TrustProxy;
  readonly readiness: () => Promise<readonly string[]>;
  readonly isDatabaseAway: (error: unknown) => boolean;
  /** Null where tracing is off. */
  readonly tracing: Tracing | null;
  /** Told of every request that is over. */
  readonly observe: (facts: RequestFacts) => void;
  readonly log: Log;
}

/** However long the database hangs, a caller gets an answer within this time, in milliseconds. */
const ANSWER_WITHIN_MS = 10_000;

/** The HTTP surface: a request passes from top to bottom. */
export function httpApp(parts: AppParts): Express {
  const { document, topics, identify, operations, limits, readiness, isDatabaseAway, log } = parts;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('trust proxy', parts.trustProxy);
  app.locals.operations = operations;

  app.use(responseHeaders);
  if (parts.tracing !== null) app.use(traceRequests(parts.tracing));
  app.use(accessLog({ log, observe: parts.observe }));
  app.use(dropLingeringUpload);
  app.use(deadline(ANSWER_WITHIN_MS, log));
  app.use(
    publicRoutes(
      new Map([
        ['/healthz', liveness],
        ['/readyz', answerReadiness(readiness)],
        ['/openapi.json', (response) => void response.json(document)],
        ['/asyncapi.json', (response) => void response.json(topics)],
        ...referenceRoutes(),
      ]),
    ),
  );
  app.use(
    mcpRoute({
      tools: toolsOf(document, operations),
      version: document.info.version,
      identify,
      limits,
      explain: explanation({ isDatabaseAway, log }),
    }),
  );
  app.use(admission({ findRoute: routeTable(document), identify, limits }));
  RegisterRoutes(app);
  app.use(refuse({ isDatabaseAway, log }));
  return app;
}
