import { MAX_MISTAKES } from '@postrider/shared/domain/input-mistake';
import { shortenPath } from './shorten-path.js';

/** Every reason for refusing a request. `contract/problem.ts` maps each to its HTTP status and title. */
export const REFUSAL_TAGS = [
  'InvalidRequest',
  'InvalidWebhookUrl',
  'InvalidScope',
  'UnknownEventType',
  'Unauthorized',
  'Forbidden',
  'InsufficientScope',
  'NotAMember',
  'ScopeExceedsAuthority',
  'ReservedEventType',
  'WorkspaceNotFound',
  'EndpointNotFound',
  'DeliveryNotFound',
  'MemberNotFound',
  'InvitationNotFound',
  'TokenNotFound',
  'EventTypeNotFound',
  'EventNotFound',
  'ReplayJobNotFound',
  'ConformanceCheckNotFound',
  'PortalLinkNotFound',
  'RouteNotFound',
  'MethodNotAllowed',
  'EndpointDisabled',
  'DeliveryNotReplayable',
  'ReplayJobEnded',
  'TooManyReplayJobs',
  'LastOwner',
  'AlreadyMember',
  'InvitationNotAcceptable',
  'UpgradeInProgress',
  'TooManyEndpoints',
  'TooManyTokens',
  'TooManyStreams',
  'StreamsDisabled',
  'PayloadTooLarge',
  'UnsupportedMediaType',
  'IdempotencyKeyInUse',
  'IdempotencyKeyReused',
  'RateLimited',
  'Internal',
  'Unavailable',
] as const;
export type RefusalTag = (typeof REFUSAL_TAGS)[number];

/** One invalid part of the input. */
export interface InputError {
  readonly path: string;
  readonly message: string;
}

/** A mistake in the input. */
export interface Mistake extends InputError {
  /** The tag that it gives to the refusal, and its words in the detail; absent for `InvalidRequest`. */
  readonly own?: { readonly tag: RefusalTag; readonly detail: string };
  /** It depends on the time: without others, the request may repeat one that succeeded, so the operation decides. */
  readonly isOfTime?: true;
}

/** Refuses a request. The detail is shown to the caller: it states what to do and reveals no internals. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  #retryAfterS: number | null = null;

  constructor(
    readonly tag: RefusalTag,
    readonly detail: string,
    readonly errors: readonly InputError[] = [],
  ) {
    super(`${tag}: ${detail}`);
  }

  /** Refuses input with all its mistakes. The first one with a tag decides the refusal's. */
  static invalid(...mistakes: readonly Mistake[]): Refusal {
    const tag = mistakes.slice(0, MAX_MISTAKES).find(({ own }) => own !== undefined)?.own?.tag;
    return Refusal.withMistakes(tag ?? 'InvalidRequest', mistakes);
  }

  /** Refuses input with its mistakes, up to the maximum for one response. */
  static withMistakes(tag: RefusalTag, mistakes: readonly Mistake[]): Refusal {
    const reported = mistakes
      .slice(0, MAX_MISTAKES)
      .map((mistake) => ({ ...mistake, path: shortenPath(mistake.path) }));
    const detail = reported.map(({ path, message, own }) => own?.detail ?? `${path} ${message}`).join('; ');
    return new Refusal(
      tag,
      `${detail}.`,
      reported.map(({ path, message }) => ({ path, message })),
    );
  }

  /** Refuses a caller that has to wait. */
  static tooMany(what: string, afterMs: number): Refusal {
    const seconds = Math.max(1, Math.ceil(afterMs / 1_000));
    const refusal = new Refusal('RateLimited', `${what}. Try again in ${seconds} seconds.`);
    refusal.#retryAfterS = seconds;
    return refusal;
  }

  /** Seconds after which the caller may try again; null if waiting does not help. */
  get retryAfterS(): number | null {
    return this.#retryAfterS;
  }
}
