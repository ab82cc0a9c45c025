import type { RequestListener } from 'node:http';
import type { Log } from '@postrider/shared/ports/log';
import type { Tracing } from '@postrider/shared/ports/tracing';
import express from 'express';
import type { OAuthSettings } from './access-tokens/oauth-config.js';
import { createChallenge, createMetadataRoutes } from './access-tokens/resource-metadata.js';
import { consoleRoute } from './console/console-route.js';
import { boundOperations, type OperationSets } from './document/bound-operations.js';
import type { Documents } from './document/documents.js';
import type { OpenApiDocument } from './document/openapi.js';
import { ANSWER_WITHIN_MS } from './domain/answer-within.js';
import { accessLog, type RequestFacts } from './http/access-log.js';
import type { AdmissionParts } from './http/admit-bearer.js';
import type { Authenticate } from './http/authenticate.js';
import type { ByteBudget } from './http/byte-budget.js';
import { crossOrigin } from './http/cross-origin.js';
import { deadline } from './http/deadline.js';
import { dropLingeringUpload } from './http/drop-lingering-upload.js';
import { createErrorExplainer, errorHandler } from './http/error-handler.js';
import { limitReads } from './http/limit-reads.js';
import { operationRoutes } from './http/operation-routes.js';
import { protocolRules } from './http/protocol-rules.js';
import { answerReadiness, liveness, publicRoutes, sendJson } from './http/public-routes.js';
import { pathOfTarget } from './http/request-target.js';
import { responseHeaders } from './http/response-headers.js';
import { traceRequests } from './http/trace-requests.js';
import { MCP_PATH, mcpRoute } from './mcp/mcp-route.js';
import { createResources } from './mcp/resources.js';
import { toolsOf } from './mcp/tools.js';
import type { TrustProxy } from './rate-limits/trust-proxy.js';
import { createReferenceRoutes } from './reference/reference-routes.js';
import type { OpenStreams } from './streams/open-streams.js';

interface AppParts extends AdmissionParts {
  readonly document: OpenApiDocument;
  /** The documents that are served, with the event types of the catalogue. */
  readonly documents: Documents;
  readonly operations: OperationSets;
  readonly streams: Pick<OpenStreams, 'open'>;
  /** Budget for the bodies of all requests. */
  readonly bodies: ByteBudget;
  /** Budget for the large answers to all requests. */
  readonly answers: ByteBudget;
  readonly trustProxy: TrustProxy;
  /** The origins that may embed the console. */
  readonly consoleFrameAncestors: readonly string[];
  /** The origins of web pages that may call `/mcp` and read its metadata. */
  readonly mcpOrigins: readonly string[];
  /** Access tokens at `/mcp`; null where no authorization server is configured. */
  readonly oauth: { readonly settings: OAuthSettings; readonly authenticate: Authenticate } | null;
  readonly readiness: () => Promise<readonly string[]>;
  readonly isDatabaseAway: (error: unknown) => boolean;
  /** Null where tracing is off. */
  readonly tracing: Tracing | null;
  /** Called for each request once it is over. */
  readonly observe: (facts: RequestFacts) => void;
  readonly log: Log;
}

/** The HTTP surface: a request passes from top to bottom. */
export function createApp(parts: AppParts): RequestListener {
  const { document, documents, authenticate, limits, workspaceLimits, readiness, isDatabaseAway, log } =
    parts;
  const admission = { authenticate, limits, workspaceLimits };
  const operations = limitReads(boundOperations(document, parts.operations), {
    answerWithinMs: ANSWER_WITHIN_MS,
    monotonicMs: () => performance.now(),
  });
  const tools = toolsOf(document, operations);
  const metadataRoutes = createMetadataRoutes(parts.oauth?.settings ?? null);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('trust proxy', parts.trustProxy);

  app.use(responseHeaders);
  if (parts.tracing !== null) app.use(traceRequests(parts.tracing));
  app.use(accessLog({ log, observe: parts.observe }));
  app.use(dropLingeringUpload);
  app.use(deadline(ANSWER_WITHIN_MS, log));
  app.use(protocolRules);
  app.use(crossOrigin({ origins: parts.mcpOrigins, paths: new Set([MCP_PATH, ...metadataRoutes.keys()]) }));
  app.use(
    publicRoutes(
      new Map([
        ['/healthz', liveness],
        ['/readyz', answerReadiness(readiness)],
        ['/openapi.json', (response) => sendJson(response, documents.openApi())],
        ['/asyncapi.json', (response) => sendJson(response, documents.asyncApi())],
        ...createReferenceRoutes(),
        ...metadataRoutes,
      ]),
    ),
  );
  app.use(consoleRoute({ frameAncestors: parts.consoleFrameAncestors }));
  app.use(
    mcpRoute({
      tools,
      resources: createResources(document, tools),
      bodies: parts.bodies,
      answers: parts.answers,
      version: document.info.version,
      ...admission,
      authenticate: parts.oauth?.authenticate ?? authenticate,
      challenge: parts.oauth === null ? () => null : createChallenge(parts.oauth.settings),
      allowedOrigins: parts.mcpOrigins,
      explain: createErrorExplainer({ isDatabaseAway, log }),
    }),
  );
  app.use(
    operationRoutes({
      document,
      operations,
      streams: parts.streams,
      bodies: parts.bodies,
      answers: parts.answers,
      ...admission,
    }),
  );
  app.use(errorHandler({ isDatabaseAway, log }));
  return (request, response) => {
    request.url = pathOfTarget(request.url ?? '/');
    app(request, response);
  };
}
