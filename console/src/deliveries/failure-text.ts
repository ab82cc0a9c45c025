import { type components, isAttemptFailureReason } from '@postrider/client';
import { texts } from '../texts/en.js';

type Schemas = components['schemas'];
type Failed = Pick<Schemas['Delivery'], 'failureReason' | 'lastAttempt'>;

interface Cause {
  readonly failureReason: Schemas['FailureReason'];
  readonly httpStatus: number | null;
  readonly errorDetail?: Schemas['ErrorDetail'] | null;
}

/** Why an attempt failed and what to do. Of a response its status decides, of TLS the detail where there is one. */
export function failureText({ failureReason, httpStatus, errorDetail }: Cause): string {
  if (failureReason === 'http_status' && httpStatus !== null) {
    return texts.responses[responseClass(httpStatus)];
  }
  return failureReason === 'tls' && errorDetail
    ? texts.errorDetails[errorDetail]
    : texts.failureReasons[failureReason];
}

/** The same for a delivery. A reason that only deliveries have is followed by that of the last attempt. */
export function reasonText({ failureReason, lastAttempt }: Failed): string | null {
  if (failureReason === null) return null;
  const evidence = { httpStatus: null, ...lastAttempt };
  const last = lastAttempt?.failureReason ?? null;
  if (isAttemptFailureReason(failureReason) || last === null)
    return failureText({ ...evidence, failureReason });
  const lastText = failureText({ ...evidence, failureReason: last });
  return `${texts.failureReasons[failureReason]} ${texts.delivery.lastReason(lastText)}`;
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
