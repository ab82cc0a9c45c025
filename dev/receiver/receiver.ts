import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import {
  headersOf,
  type Receiver,
  type Request,
  reply,
  startReceiver,
} from '@postrider/shared/testing/receiver';
import { afterUse, parseBehaviour, WELL_BEHAVED } from './behaviour.js';
import { createInbox, describeReceived } from './inbox.js';
import { parseSecrets, whyUnverified } from './verify-signature.js';

export interface ReceiverOptions {
  readonly host?: string;
  readonly port?: number;
  /** Signing secrets (`whsec_…`), any of which may confirm a signature. */
  readonly secrets: readonly string[];
  /** How many webhooks are remembered. */
  readonly capacity?: number;
  readonly report: (line: string) => void;
}

interface Response {
  readonly status: number;
  readonly body: unknown;
}

type Handler = (request: Request) => Response | Promise<Response>;
type Routes = Readonly<Record<string, Readonly<Record<string, Handler>>>>;

const BODY_LIMIT = 2 ** 20;
const CAPACITY = 500;

/**
 * Starts a customer's webhook receiver for demos: it verifies signatures, acknowledges repeated webhooks without acting on
 * them, and fails on request (PUT /behaviour).
 */
export function startDemoReceiver({ host, port, ...options }: ReceiverOptions): Promise<Receiver> {
  const inbox = createInbox(options.capacity ?? CAPACITY);
  let { secrets } = options;
  let behaviour = WELL_BEHAVED;

  const receive = async (request: Request): Promise<Response> => {
    const headers = headersOf(request);
    const at = new Date().toISOString();
    const id = headers['webhook-id'] ?? null;
    const reason = whyUnverified(secrets, headers, request.body);
    const verified = reason === undefined;
    const { status, delayMs } = verified ? behaviour : { status: 401, delayMs: 0 };
    const duplicate = verified && id !== null && inbox.hasAccepted(id);
    if (verified) behaviour = afterUse(behaviour);
    if (delayMs > 0) await wait(delayMs);
    const received = { id, eventType: eventTypeOf(request), verified, duplicate, headers, status, at };
    inbox.add(received);
    options.report(describeReceived(received));
    return { status, body: verified ? { received: id, duplicate } : { error: `not verified: ${reason}` } };
  };
  const changeBehaviour: Handler = (request) => {
    const parsed = parseBehaviour(parseJson(request));
    if ('errors' in parsed) return { status: 400, body: { error: 'not a behaviour', errors: parsed.errors } };
    behaviour = parsed.value;
    return { status: 200, body: behaviour };
  };
  const changeSecrets: Handler = (request) => {
    const parsed = parseSecrets(parseJson(request));
    if (parsed === undefined) return { status: 400, body: { error: 'must be {"secrets": ["whsec_…"]}' } };
    secrets = parsed;
    return { status: 200, body: { secrets: secrets.length } };
  };
  const routes: Routes = {
    '/hook': { POST: receive },
    '/behaviour': { GET: () => ({ status: 200, body: behaviour }), PUT: changeBehaviour },
    '/secrets': { PUT: changeSecrets },
    '/deliveries': { GET: () => ({ status: 200, body: { items: inbox.list() } }) },
    '/healthz': { GET: () => ({ status: 200, body: { status: 'ok' } }) },
  };
  const serve = async (request: Request, socket: Socket): Promise<void> => {
    const { status, body } = await route(routes, request);
    reply(socket, { status, body: JSON.stringify(body), contentType: 'application/json' });
  };
  return startReceiver((request, socket) => void serve(request, socket), {
    ...(host && { host }),
    ...(port && { port }),
  });
}

function route(routes: Routes, request: Request): Response | Promise<Response> {
  const path = request.path.split('?', 1)[0] ?? '';
  const methods = Object.hasOwn(routes, path) ? routes[path] : undefined;
  if (methods === undefined)
    return { status: 404, body: { error: `routes are ${Object.keys(routes).join(', ')}` } };
  const handler = methods[request.method];
  if (handler === undefined)
    return { status: 405, body: { error: `allowed are ${Object.keys(methods).join(', ')}` } };
  if (request.body.length > BODY_LIMIT)
    return { status: 413, body: { error: `more than ${BODY_LIMIT} bytes` } };
  return handler(request);
}

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
