import { setTimeout as sleep } from 'node:timers/promises';
import {
  headersOf,
  type Receiver,
  type Request,
  reply,
  startReceiver,
} from '@postrider/shared/testing/receiver';
import { Webhook } from 'standardwebhooks';
import { afterUse, errorsOf, isBehaviour, isSecrets, WELL_BEHAVED } from './behaviour.js';

export interface ReceiverOptions {
  readonly host?: string;
  readonly port?: number;
  /** Signing secrets (`whsec_…`), any of which may confirm a signature. */
  readonly secrets: readonly string[];
  /** Number of webhooks to remember; ten times as many ids are remembered. */
  readonly capacity?: number;
  readonly report: (line: string) => void;
}

/** One webhook as it arrived. */
interface Received {
  /** The `webhook-id`, the same for every attempt of one delivery. */
  readonly id: string | null;
  readonly eventType: string | null;
  readonly verified: boolean;
  /** It was already accepted: a correct receiver acknowledges it and does nothing. */
  readonly duplicate: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;
  readonly at: string;
}

type Response = readonly [status: number, body: unknown];
type Handler = (request: Request) => Response | Promise<Response>;

const BODY_LIMIT = 2 ** 20;

/**
 * Starts a customer's webhook receiver for demos: it verifies signatures, acknowledges repeated webhooks without acting on
 * them, and fails on request (PUT /behaviour).
 */
export function startDemoReceiver(options: ReceiverOptions): Promise<Receiver> {
  const { host = '127.0.0.1', port = 0, capacity = 500, report } = options;
  const items: Received[] = [];
  const accepted = new Set<string>();
  let { secrets } = options;
  let behaviour = WELL_BEHAVED;

  const remember = (received: Received): void => {
    items.push(received);
    if (items.length > capacity) items.shift();
    if (received.id !== null && received.verified && received.status < 300) accepted.add(received.id);
    const [oldest] = accepted;
    if (accepted.size > capacity * 10 && oldest !== undefined) accepted.delete(oldest);
  };
  const receive: Handler = async (request) => {
    const headers = headersOf(request);
    const at = new Date().toISOString();
    const id = headers['webhook-id'] ?? null;
    const reason = whyUnverified(secrets, headers, request.body);
    const verified = reason === null;
    const { status, delayMs } = verified ? behaviour : { status: 401, delayMs: 0 };
    const duplicate = verified && id !== null && accepted.has(id);
    if (verified) behaviour = afterUse(behaviour);
    await sleep(delayMs);
    const received = { id, eventType: eventTypeOf(request), verified, duplicate, headers, status, at };
    remember(received);
    report(describeReceived(received));
    return verified ? [status, { received: id, duplicate }] : refused(status, `not verified: ${reason}`);
  };
  const routes: Readonly<Record<string, Handler>> = {
    'POST /hook': receive,
    'GET /behaviour': () => ok(behaviour),
    'PUT /behaviour'(request) {
      const body = parseJson(request);
      if (!isBehaviour(body)) return refused(400, 'not a behaviour', errorsOf(isBehaviour));
      behaviour = body;
      return ok(behaviour);
    },
    'PUT /secrets'(request) {
      const body = parseJson(request);
      if (!isSecrets(body)) return refused(400, 'must be {"secrets": ["whsec_…"]}');
      ({ secrets } = body);
      return ok({ secrets: secrets.length });
    },
    'GET /deliveries': () => ok({ items }),
    'GET /healthz': () => ok({ status: 'ok' }),
  };
  const route: Handler = (request) => {
    const [path] = request.path.split('?', 1);
    const handle = routes[`${request.method} ${path}`];
    if (handle === undefined) {
      const known = Object.keys(routes);
      const status = known.some((name) => name.endsWith(` ${path}`)) ? 405 : 404;
      return refused(status, `routes are ${known.join(', ')}`);
    }
    if (request.body.length > BODY_LIMIT) return refused(413, `more than ${BODY_LIMIT} bytes`);
    return handle(request);
  };
  return startReceiver(
    async (request, socket) => {
      const [status, body] = await route(request);
      reply(socket, { status, body: JSON.stringify(body), contentType: 'application/json' });
    },
    { host, port },
  );
}

const ok = (body: unknown): Response => [200, body];
const refused = (status: number, error: string, errors?: object): Response => [status, { error, errors }];

/** The JSON in a body; undefined when it is not JSON. */
function parseJson({ body }: Request): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

function eventTypeOf(request: Request): string | null {
  const eventType = (parseJson(request) as { eventType?: unknown } | null | undefined)?.eventType;
  return typeof eventType === 'string' ? eventType : null;
}

/** The reason why the signature is invalid; null when one of the secrets confirms it. */
function whyUnverified(
  secrets: readonly string[],
  headers: Record<string, string>,
  body: Buffer,
): string | null {
  let reason = 'the receiver has no secret yet';
  for (const secret of secrets) {
    try {
      new Webhook(secret).verify(body, headers, { jsonParse: false });
      return null;
    } catch (error) {
      reason = (error as Error).message;
    }
  }
  return reason;
}

/** One line about a webhook for the terminal. */
function describeReceived({ at, eventType, id, verified, duplicate, status }: Received): string {
  const clock = at.slice(11, 23);
  const signature = verified ? 'verified ✓' : 'signature ✗';
  const again = duplicate ? ' (seen before)' : '';
  // Only the end of an id, because ids of the same second differ there.
  const shortId = id === null ? 'no webhook-id' : id.replace(/^.+(?=.{6}$)/, '…');
  return `${clock}  ${eventType ?? 'no event type'}  ${shortId}  ${signature}${again}  answered ${status}`;
}
