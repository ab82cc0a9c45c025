import type { components } from '@postrider/client';
import { texts } from '../texts/en.js';

type Reason = components['schemas']['FailureReason'];
type Failed = Pick<components['schemas']['Delivery'], 'failureReason' | 'lastAttempt'>;

/** Why an attempt failed and what to do. Of a response its status decides. */
export function failureText(reason: Reason, httpStatus: number | null): string {
  return reason === 'http_status' && httpStatus !== null
    ? texts.responses[responseClass(httpStatus)]
    : texts.failureReasons[reason];
}

/** The same for a delivery. One whose retries are exhausted has the reason of its last attempt, too. */
export function reasonText({ failureReason, lastAttempt }: Failed): string | null {
  if (failureReason === null) return null;
  const last = lastAttempt?.failureReason ?? null;
  const httpStatus = lastAttempt?.httpStatus ?? null;
  if (failureReason !== 'retries_exhausted' || last === null) return failureText(failureReason, httpStatus);
  return `${texts.failureReasons.retries_exhausted} ${texts.delivery.lastReason(failureText(last, httpStatus))}`;
}

function responseClass(status: number): keyof typeof texts.responses {
  if (status < 400) return 'redirect';
  if (status >= 500) return 'error';
  switch (status) {
    case 401:
    case 403:
      return 'forbidden';
    case 404:
    case 410:
      return 'absent';
    case 413:
      return 'tooLarge';
    case 429:
      return 'limited';
    default:
      return 'refused';
  }
}
