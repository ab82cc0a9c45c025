/** Every way in which a caller can be refused. What each means on the wire stands in one table of the contract. */
export const REFUSAL_TAGS = [
  'InvalidRequest',
  'InvalidWebhookUrl',
  'InvalidScope',
  'Unauthorized',
  'Forbidden',
  'ScopeExceedsAuthority',
  'WorkspaceNotFound',
  'EndpointNotFound',
  'DeliveryNotFound',
  'MemberNotFound',
  'InvitationNotFound',
  'TokenNotFound',
  'RouteNotFound',
  'MethodNotAllowed',
  'EndpointDisabled',
  'DeliveryNotReplayable',
  'LastOwner',
  'AlreadyMember',
  'InvitationNotAcceptable',
  'PayloadTooLarge',
  'UnsupportedMediaType',
  'IdempotencyKeyInUse',
  'IdempotencyKeyReused',
  'RateLimited',
  'Internal',
  'Unavailable',
] as const;
export type RefusalTag = (typeof REFUSAL_TAGS)[number];

/** One mistake of an input: where, and what is wrong there. */
export interface InputError {
  readonly path: string;
  readonly message: string;
}

/** Refuses a caller. The detail is for the caller to read: it says what to do and leaks nothing. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly tag: RefusalTag,
    readonly detail: string,
    readonly errors: readonly InputError[] = [],
  ) {
    super(`${tag}: ${detail}`);
  }
}
