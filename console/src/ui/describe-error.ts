import { InvalidId, PostriderError, UnexpectedAnswer } from '@postrider/client';
import { texts } from '../texts/en.js';
import { LinkEnded } from './link-ended.js';
import { PageFailed } from './page-failed.js';
import { PageNotLoaded } from './page-not-loaded.js';

export interface ErrorDescription {
  readonly title: string;
  readonly detail: string;
  /** Null where no server responded. */
  readonly traceId: string | null;
}

/** What a refusal means, by its tag; null where only the server's own text says it. */
export function problemTitle(tag: string): string | null {
  return tag in texts.problems ? texts.problems[tag as keyof typeof texts.problems] : null;
}

/** What happened and what to do, for any error of a request or a page. */
export function describeError(error: unknown): ErrorDescription {
  if (error instanceof PostriderError) {
    const { tag, detail, errors, traceId } = error;
    const mistakes = errors.map(({ path, message }) => `${path} ${message}`).join('; ');
    const title = problemTitle(tag) ?? detail;
    // The server's own texts are for programs, which send the token in a header and enable an endpoint by PATCH.
    if (tag === 'Unauthorized') return { title, detail: texts.errors.unauthorizedDetail, traceId };
    if (tag === 'EndpointDisabled') return { title, detail: texts.errors.disabledDetail, traceId };
    return { title, detail: detail.includes(mistakes) ? detail : mistakes, traceId };
  }
  if (error instanceof UnexpectedAnswer) {
    return {
      title: texts.errors.unexpected,
      detail: texts.errors.unexpectedDetail(error.status),
      traceId: null,
    };
  }
  if (error instanceof LinkEnded) {
    return { title: texts.errors.linkEnded, detail: texts.errors.linkEndedDetail, traceId: null };
  }
  if (error instanceof PageNotLoaded) {
    return { title: texts.errors.pageNotLoaded, detail: texts.errors.pageNotLoadedDetail, traceId: null };
  }
  if (isWithoutResponse(error)) {
    return { title: texts.errors.offline, detail: texts.errors.offlineDetail, traceId: null };
  }
  const cause = error instanceof PageFailed ? error.cause : error;
  const message = cause instanceof Error ? cause.message : String(cause);
  return { title: texts.errors.fault, detail: texts.errors.faultDetail(message), traceId: null };
}

/** `fetch` reports a lost connection as a TypeError, the client a time-out as a DOMException. */
function isWithoutResponse(error: unknown): boolean {
  if (error instanceof DOMException) return error.name === 'TimeoutError';
  return error instanceof TypeError && !(error instanceof InvalidId);
}
