import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import type { webhooks } from './generated/openapi.js';

/** What a receiver gets: `eventType` tells which `payload` it is. */
export type ReceivedDelivery = {
  [Type in keyof webhooks]: webhooks[Type]['post']['requestBody']['content']['application/json'];
}[keyof webhooks];

/** A request as it arrived. */
export interface ReceivedRequest {
  /** The endpoint's signing secret; several while one is being replaced. */
  readonly secret: string | readonly string[];
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The bytes as they arrived: never parsed and written again. */
  readonly body: string | Buffer;
}

/**
 * Makes sure that a request is a delivery from Postrider, signed within the last five minutes.
 *
 * @throws WebhookVerificationError when it is not
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
