import {
  METHODS,
  type Method,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type PathItem,
  type RateBucket,
  type ResponseObject,
  type Schema,
} from './openapi.js';
import { ANSWER_HEADERS, problemReferences, problemResponses, type Refusable } from './problem-responses.js';
import { toJsonSchema } from './schema-dialect.js';
import { webhookSection } from './webhook-section.js';

/** The document that tsoa generates from the declarations. */
export interface GeneratedDocument {
  readonly info: OpenApiDocument['info'];
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly securitySchemes: object;
  };
  readonly paths: Readonly<Record<string, Readonly<Partial<Record<Method, GeneratedOperation>>>>>;
}

type GeneratedOperation = Omit<Operation, 'parameters' | 'responses' | 'x-rate-bucket'> & {
  /** Present if the bucket does not follow from the method. */
  readonly 'x-rate-bucket'?: RateBucket;
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<Record<string, ResponseObject>>;
};

/**
 * Completes the generated document: converts it to OpenAPI 3.1 and adds the webhooks and, to each operation, its rate
 * bucket, tool, problems, trace id and idempotency key.
 */
export function completeDocument(generated: GeneratedDocument): OpenApiDocument {
  const { info, paths, components } = toJsonSchema(generated) as GeneratedDocument;
  const { schemas, securitySchemes } = components;
  const refusables = Object.values(paths).flatMap((item) => operationsOf(item).map(refusableOf));
  return {
    openapi: '3.1.0',
    info: { ...info, license: LICENSE },
    servers: [{ url: '/' }],
    paths: Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, completeItem(path, item)])),
    webhooks: webhookSection(),
    components: { ...COMPONENTS, schemas, responses: problemResponses(refusables), securitySchemes },
  };
}

const LICENSE = { name: 'MIT', identifier: 'MIT' } as const;

type Generated = readonly [Method, GeneratedOperation];

function operationsOf(item: GeneratedDocument['paths'][string]): readonly Generated[] {
  return METHODS.flatMap((method) => {
    const operation = item[method];
    return operation === undefined ? [] : [[method, operation] as const];
  });
}

function refusableOf([method, operation]: Generated): Refusable {
  const hasQuery = operation.parameters.some((parameter) => parameter.in === 'query');
  const needsToken = operation.security.length > 0;
  return { method, hasQuery, needsToken, own: operation['x-refusals'] ?? [] };
}

function completeItem(path: string, item: GeneratedDocument['paths'][string]): PathItem {
  const operations = operationsOf(item).map((generated) => [generated[0], completeOperation(generated)]);
  const parameters = path.includes('{slug}') ? [{ $ref: '#/components/parameters/Slug' }] : [];
  return { parameters, ...Object.fromEntries(operations) };
}

function completeOperation(generated: Generated): Operation {
  const [method, operation] = generated;
  // The default response is declared only to include the schema of a problem in the document.
  const { default: _, ...successes } = operation.responses;
  const idempotencyKey = { $ref: '#/components/parameters/IdempotencyKey' };
  return {
    ...operation,
    parameters: [...operation.parameters, ...(method === 'post' ? [idempotencyKey] : [])],
    responses: { ...traced(successes), ...problemReferences(refusableOf(generated)) },
    'x-rate-bucket': operation['x-rate-bucket'] ?? (method === 'get' ? 'rest_read' : 'rest_write'),
    // A tool needs a permission: it is listed for the tokens that grant it. It answers once, which a stream does not.
    ...(needsPermission(operation) && !isStream(operation) && { 'x-mcp-tool': operation.operationId }),
  };
}

/** Whether an operation answers with Server-Sent Events. */
function isStream({ responses }: Pick<Operation, 'responses'>): boolean {
  return Object.values(responses).some(
    (response) => 'content' in response && 'text/event-stream' in (response.content ?? {}),
  );
}

function needsPermission({ security }: GeneratedOperation): boolean {
  return security.some(({ bearer }) => bearer.length > 0);
}

function traced(responses: Readonly<Record<string, ResponseObject>>): Record<string, ResponseObject> {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [status, { ...response, headers: ANSWER_HEADERS }]),
  );
}

const COMPONENTS = {
  parameters: {
    Slug: {
      name: 'slug',
      in: 'path',
      required: true,
      description: "The workspace's name in URLs.",
      schema: { type: 'string' },
      example: 'acme',
    },
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'Makes the request safe to repeat: for 24 hours the same request with the same key takes effect once ' +
        'and gets the same response.',
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
    },
  },
  headers: {
    TraceId: {
      description: 'The W3C trace id of the request. Include it in support requests.',
      schema: { type: 'string', pattern: '^[0-9a-f]{32}$' },
    },
    RateLimit: {
      description:
        'The bucket of the request, the requests that remain, and the seconds until the window ends.',
      schema: { type: 'string' },
      example: '"rest_read";r=599;t=60',
    },
    RateLimitPolicy: {
      description: 'The bucket of the request, its quota, and the seconds that the quota is for.',
      schema: { type: 'string' },
      example: '"rest_read";q=600;w=60',
    },
    WwwAuthenticate: { description: 'Always `Bearer`.', schema: { type: 'string' } },
    RetryAfter: { description: 'Seconds to wait before the next request.', schema: { type: 'integer' } },
  },
} as const;
