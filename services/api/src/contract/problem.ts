import type { RefusalTag } from '../domain/refusal.js';

/** One invalid part of the input. */
export interface InputMistake {
  /** A field of the body, a query parameter or a header. */
  path: string;
  message: string;
}

/** The body of every error response (RFC 9457, `application/problem+json`). */
export interface Problem {
  /** `urn:postrider:problem:` and the tag. */
  type: string;
  title: string;
  /** The HTTP status. */
  status: number;
  /** Describes the problem and how to resolve it. */
  detail: string;
  tag: RefusalTag;
  /** Include it in support requests. */
  traceId: string;
  /** All invalid parts of the input; only with 400. */
  errors?: InputMistake[];
}

/** The HTTP status and title of a refusal. */
export interface ProblemKind {
  readonly status: number;
  readonly title: string;
}

/** Maps every tag to its status, for HTTP responses, the OpenAPI document and MCP errors. */
export const PROBLEM_KINDS: Readonly<Record<RefusalTag, ProblemKind>> = {
  InvalidRequest: { status: 400, title: 'The request is not valid' },
  InvalidWebhookUrl: { status: 400, title: 'The webhook URL is not allowed' },
  UnknownEventType: { status: 400, title: 'The event type to publish does not exist' },
  ReservedEventType: { status: 403, title: 'The event type is reserved' },
  EventTypeNotFound: { status: 404, title: 'There is no such event type' },
  EventNotFound: { status: 404, title: 'There is no such event' },
  InvalidScope: { status: 400, title: 'A scope is invalid' },
  Unauthorized: { status: 401, title: 'A valid API token is required' },
  Forbidden: { status: 403, title: 'The token lacks the permission' },
  InsufficientScope: { status: 403, title: 'The access token lacks a scope' },
  NotAMember: { status: 403, title: 'The access token does not identify a member of a workspace' },
  ScopeExceedsAuthority: { status: 403, title: 'A scope exceeds your own authority' },
  WorkspaceNotFound: { status: 404, title: 'There is no such workspace' },
  EndpointNotFound: { status: 404, title: 'There is no such webhook endpoint' },
  DeliveryNotFound: { status: 404, title: 'There is no such delivery' },
  MemberNotFound: { status: 404, title: 'There is no such member' },
  InvitationNotFound: { status: 404, title: 'There is no such invitation' },
  TokenNotFound: { status: 404, title: 'There is no such API token' },
  ReplayJobNotFound: { status: 404, title: 'There is no such replay job' },
  ConformanceCheckNotFound: { status: 404, title: 'There is no such conformance check' },
  PortalLinkNotFound: { status: 404, title: 'There is no such portal link' },
  RouteNotFound: { status: 404, title: 'There is no such route' },
  MethodNotAllowed: { status: 405, title: 'The route does not support this method' },
  EndpointDisabled: { status: 409, title: 'The webhook endpoint is disabled' },
  DeliveryNotReplayable: { status: 409, title: 'The delivery cannot be replayed' },
  ReplayJobEnded: { status: 409, title: 'The replay job has ended' },
  TooManyReplayJobs: { status: 409, title: 'The workspace has too many active replay jobs' },
  LastOwner: { status: 409, title: 'A workspace must keep at least one owner' },
  AlreadyMember: { status: 409, title: 'The person is already a member' },
  InvitationNotAcceptable: { status: 409, title: 'The invitation can no longer be accepted' },
  UpgradeInProgress: { status: 409, title: 'An upgrade has to finish first' },
  TooManyEndpoints: { status: 409, title: 'The workspace has reached its limit of webhook endpoints' },
  TooManyTokens: { status: 409, title: 'The workspace has reached its limit of API tokens' },
  IdempotencyKeyInUse: { status: 409, title: 'A request with this idempotency key is in progress' },
  PayloadTooLarge: { status: 413, title: 'The request body is too large' },
  UnsupportedMediaType: { status: 415, title: 'The content type of the request body is not supported' },
  IdempotencyKeyReused: { status: 422, title: 'The idempotency key was used for another request' },
  TooManyStreams: { status: 429, title: 'The token or its workspace has reached its limit of open streams' },
  StreamsDisabled: { status: 503, title: 'Streams are disabled in this installation' },
  RateLimited: { status: 429, title: 'Too many requests' },
  Internal: { status: 500, title: 'An internal error occurred' },
  Unavailable: { status: 503, title: 'The service is temporarily unavailable' },
};
