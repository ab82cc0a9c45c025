import { EXPECTED, type Probe } from '@postrider/shared/domain/conformance-check';
import { isRedirect, judge, type Outcome } from '@postrider/shared/domain/judge';

type NoResponse = Exclude<Outcome, { readonly kind: 'answered' }>;

/** What to change in a receiver that gave an unexpected answer to a probe. */
export function adviceOn(probe: Probe, outcome: Outcome): string {
  if (outcome.kind !== 'answered') return NO_RESPONSE[outcome.reason];
  const { httpStatus } = outcome;
  if (httpStatus >= 500)
    return `${FAILED[EXPECTED[probe]]} Look for this request in its log by the x-trace-id.`;
  if (isRedirect(httpStatus)) {
    return 'The receiver redirected. Redirects are not followed: use the final URL for the endpoint.';
  }
  if (judge(outcome).kind === 'retryable') {
    return `The receiver answered ${httpStatus}, which is retried. Exempt webhooks from its rate limit, and answer 400 to invalid requests.`;
  }
  return ADVICE[probe];
}

/** Advice on a request that a probe shows to be handled wrongly. */
const ADVICE: Readonly<Record<Probe, string>> = {
  valid:
    'The receiver refused a genuine request. Verify with the current secret of this endpoint, over the bytes of the body ' +
    'as they arrived: parse it only after that. Also check the path of the URL.',
  duplicate:
    'The receiver refused a request whose webhook-id it had accepted before. Answer 2xx to a repeated delivery and do ' +
    'nothing, or it is sent again.',
  two_signatures:
    'The receiver refused a request whose second signature is right. Accept it if any of the signatures, which are ' +
    'separated by spaces, is right: for 24 hours after a rotation there are two.',
  forged:
    'The receiver accepted a signature that does not belong to the body. Verify the signature, and answer 400.',
  stale:
    'The receiver accepted a timestamp of ten minutes ago. Answer 400 if webhook-timestamp is more than five minutes ' +
    'off: otherwise a recorded request can be replayed.',
  missing_headers:
    'The receiver accepted a request without a signature. Refuse it with 400 if one of webhook-id, webhook-timestamp and ' +
    'webhook-signature is missing.',
  slow_body:
    'The receiver refused a genuine request whose body arrived in two parts. Read the body to its end before you verify it.',
};

const FAILED = {
  '2xx': 'The receiver failed on a genuine request.',
  '4xx':
    'The receiver failed instead of refusing the request. Answer 400: a 5xx is retried six times and counts as a failure.',
} as const;

const NO_RESPONSE: Readonly<Record<NoResponse['reason'], string>> = {
  timeout: 'No response in time. Store the delivery, answer, and do the work later.',
  connection_refused:
    'The connection was refused. Check that the receiver is running and its port is reachable.',
  connection_reset: 'The receiver closed the connection without a response.',
  dns: 'The name of the receiver could not be looked up.',
  tls: 'The TLS connection failed. Check that the certificate is valid, complete and issued for this name.',
  network: 'The connection failed, or the response was not valid HTTP.',
  invalid_url: 'The URL of the endpoint is not allowed. Change it.',
  blocked_address: 'The name of the receiver resolves to an address to which webhooks are not sent.',
};
