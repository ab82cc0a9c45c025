import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import type { webhooks } from './generated/openapi.js';

/** The body of a delivery, discriminated by `eventType`. */
export type ReceivedDelivery = {
  [Type in keyof webhooks]: webhooks[Type]['post']['requestBody']['content']['application/json'];
}[keyof webhooks];

/** A received request. */
export interface ReceivedRequest {
  /** The endpoint's signing secret; several during a rotation. */
  readonly secret: string | readonly string[];
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The raw body: parsing and serializing it again breaks the signature. */
  readonly body: string | Buffer;
}

/**
 * Verifies that a request is a delivery from Postrider, signed within the last five minutes.
 *
 * @throws WebhookVerificationError otherwise
 */
export function verify({ secret, headers, body }: ReceivedRequest): ReceivedDelivery {
  const plain = plainHeaders(headers);
  let problem: unknown = new WebhookVerificationError('no secret was given');
  for (const one of typeof secret === 'string' ? [secret] : secret) {
    try {
      return new Webhook(one).verify(body, plain) as ReceivedDelivery;
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      problem = error;
    }
  }
  throw problem;
}

function plainHeaders(headers: ReceivedRequest['headers']): Record<string, string> {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}
