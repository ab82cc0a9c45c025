export { Webhook, WebhookVerificationError } from 'standardwebhooks';
export { InvalidToken } from './authorization.js';
export {
  type Call,
  type Client,
  type ClientOptions,
  createClient,
  type EventAtEndpoint,
  InvalidId,
} from './client.js';
export type {
  AnyEvents,
  CustomDelivery,
  EventData,
  EventEnvelope,
  NewEvent,
  PublishedEvent,
  PublishOptions,
} from './custom-events.js';
export { explainFetchError } from './explain-fetch-error.js';
export {
  type BodyChange,
  explainSignature,
  type SignatureProblem,
  type SignatureQuestion,
} from './explain-signature.js';
export { FAILURE_REASONS, isAttemptFailureReason } from './failure-reasons.js';
export type { components, operations, paths } from './generated/openapi.js';
export { PostriderError, type Problem, type ProblemTag, UnexpectedAnswer } from './postrider-error.js';
export { isPublicKey } from './public-key.js';
export { randomKey } from './random-key.js';
export { type HandleDelivery, receive } from './receive.js';
export type { CreateReplayJob, ReplayJob, ReplayOptions } from './replay-all.js';
export type { RetryPolicy } from './retry.js';
export { getSession, type TokenSession } from './session.js';
export type {
  StreamDisconnection,
  StreamedDelivery,
  StreamedEvent,
  StreamFilter,
  StreamMessage,
  StreamOptions,
} from './stream.js';
export { type ReceivedDelivery, type ReceivedRequest, verify } from './verify.js';
