import { PROBLEM_KINDS } from '../contract/problem.js';
import type { RefusalTag } from '../domain/refusal.js';
import type { Method, Reference, ResponseObject } from './openapi.js';

/** The headers of every response of an operation. */
export const ANSWER_HEADERS: Readonly<Record<string, Reference>> = {
  'x-trace-id': { $ref: '#/components/headers/TraceId' },
  ratelimit: { $ref: '#/components/headers/RateLimit' },
  'ratelimit-policy': { $ref: '#/components/headers/RateLimitPolicy' },
};

/** Possible for every request. */
const EVERYWHERE = ['RateLimited', 'Internal', 'Unavailable'] as const;
/** Possible for every request that needs a token. */
const WITH_TOKEN = ['Unauthorized', 'Forbidden', 'WorkspaceNotFound'] as const;
/** Possible for every request that may have a body. */
const WITH_BODY = ['InvalidRequest', 'PayloadTooLarge', 'UnsupportedMediaType'] as const;
/** Possible for every request that may carry an idempotency key. */
const REPEATABLE = ['IdempotencyKeyInUse', 'IdempotencyKeyReused'] as const;

/** The facts that decide which refusals an operation can have. */
export interface Refusable {
  readonly method: Method;
  readonly hasQuery: boolean;
  readonly needsToken: boolean;
  /** The refusals that only this operation has. */
  readonly own: readonly RefusalTag[];
}

/** References to the problems of an operation, by status; each is a response among the components. */
export function problemReferences(operation: Refusable): Record<string, Reference> {
  return Object.fromEntries(
    tagsByStatus(operation).map(([status, tags]) => [
      status,
      { $ref: `#/components/responses/${nameOf(tags)}` },
    ]),
  );
}

/** The responses that operations refer to, by name. */
export function problemResponses(operations: readonly Refusable[]): Record<string, ResponseObject> {
  return Object.fromEntries(
    operations.flatMap(tagsByStatus).map(([status, tags]) => [nameOf(tags), responseOf(status, tags)]),
  );
}

function tagsByStatus(operation: Refusable): readonly (readonly [number, readonly RefusalTag[]])[] {
  const byStatus = new Map<number, RefusalTag[]>();
  for (const tag of tagsOf(operation)) {
    const { status } = PROBLEM_KINDS[tag];
    byStatus.set(status, [...(byStatus.get(status) ?? []), tag]);
  }
  return [...byStatus].sort(([one], [other]) => one - other);
}

function nameOf(tags: readonly RefusalTag[]): string {
  return tags.join('.');
}

function tagsOf({ method, hasQuery, needsToken, own }: Refusable): ReadonlySet<RefusalTag> {
  const mayHaveBody = method !== 'get';
  return new Set<RefusalTag>([
    ...(hasQuery ? (['InvalidRequest'] as const) : []),
    ...(mayHaveBody ? WITH_BODY : []),
    ...(method === 'post' ? REPEATABLE : []),
    ...(needsToken ? WITH_TOKEN : []),
    ...EVERYWHERE,
    ...own,
  ]);
}

const EXTRA_HEADERS: Partial<Record<number, Record<string, Reference>>> = {
  [PROBLEM_KINDS.Unauthorized.status]: {
    'www-authenticate': { $ref: '#/components/headers/WwwAuthenticate' },
  },
  [PROBLEM_KINDS.RateLimited.status]: { 'retry-after': { $ref: '#/components/headers/RetryAfter' } },
  [PROBLEM_KINDS.Unavailable.status]: { 'retry-after': { $ref: '#/components/headers/RetryAfter' } },
};

function responseOf(status: number, tags: readonly RefusalTag[]): ResponseObject {
  return {
    description: tags.map((tag) => `\`${tag}\`: ${PROBLEM_KINDS[tag].title}`).join('. '),
    headers: { ...ANSWER_HEADERS, ...EXTRA_HEADERS[status] },
    content: {
      'application/problem+json': {
        schema: {
          allOf: [{ $ref: '#/components/schemas/Problem' }],
          properties: { status: { const: status }, tag: { enum: tags } },
        },
        examples: Object.fromEntries(tags.map((tag) => [tag, { value: exampleOf(tag) }])),
      },
    },
  };
}

function exampleOf(tag: RefusalTag) {
  const { status, title } = PROBLEM_KINDS[tag];
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const mistakes =
    tag === 'InvalidRequest' ? { errors: [{ path: 'limit', message: 'must be a number' }] } : {};
  return {
    type: `urn:postrider:problem:${tag}`,
    title,
    status,
    detail: `${title}.`,
    tag,
    traceId,
    ...mistakes,
  };
}
