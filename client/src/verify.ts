import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import type { CustomDelivery, EventData } from './custom-events.js';
import type { webhooks } from './generated/openapi.js';
import { PUBLIC_KEY_PREFIX } from './public-key.js';
import { verifyEd25519 } from './verify-ed25519.js';

type BuiltInDelivery = {
  [Type in keyof webhooks]: webhooks[Type]['post']['requestBody']['content']['application/json'];
}[keyof webhooks];

/** The body of a delivery, discriminated by `eventType`. */
export type ReceivedDelivery<Custom extends EventData = Record<never, never>> =
  | BuiltInDelivery
  | CustomDelivery<Custom>;

/** A received request. */
export interface ReceivedRequest {
  /**
   * The endpoint's signing secret (`whsec_…`), or its public key (`whpk_…`) with `signing: ed25519`; several during a rotation
   * or a change of the kind.
   */
  readonly secret: string | readonly string[];
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The raw body: parsing and serializing it again breaks the signature. */
  readonly body: string | Buffer;
}

/**
 * Verifies that a request is a delivery from Postrider, signed within the last five minutes.
 *
 * @typeParam Custom the custom events that the endpoint receives, as `postrider-client generate` writes them
 * @throws WebhookVerificationError otherwise
 */
export function verify<Custom extends EventData = Record<never, never>>({
  secret,
  headers,
  body,
}: ReceivedRequest): ReceivedDelivery<Custom> {
  const plain = plainHeaders(headers);
  let problem: unknown = new WebhookVerificationError('no secret was given');
  for (const one of typeof secret === 'string' ? [secret] : secret) {
    try {
      const verified = one.startsWith(PUBLIC_KEY_PREFIX)
        ? verifyEd25519(one.slice(PUBLIC_KEY_PREFIX.length), plain, body)
        : new Webhook(one).verify(body, plain);
      return verified as ReceivedDelivery<Custom>;
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      problem = error;
    }
  }
  throw problem;
}

/** `Headers` may be another class than the global one, as of a polyfill or of the package `undici`. */
function isIterable(headers: ReceivedRequest['headers']): headers is Headers {
  return Symbol.iterator in headers;
}

function plainHeaders(headers: ReceivedRequest['headers']): Record<string, string> {
  const entries = isIterable(headers) ? [...headers] : Object.entries(headers);
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}
