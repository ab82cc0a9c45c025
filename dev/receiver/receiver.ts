import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { afterUse, type Behaviour, parseBehaviour, WELL_BEHAVED } from './behaviour.js';
import { describeReceived } from './describe-received.js';
import { createInbox, type Inbox } from './inbox.js';
import { BODY_LIMIT, parseJson, readBody } from './read-body.js';
import { parseSecrets, whyUnverified } from './verify-signature.js';

export interface ReceiverOptions {
  /** Signing secrets (`whsec_…`), any of which may confirm a signature. */
  readonly secrets: readonly string[];
  /** How many webhooks are remembered. */
  readonly capacity: number;
  readonly report: (line: string) => void;
  readonly now: () => Date;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

interface State {
  readonly options: ReceiverOptions;
  readonly inbox: Inbox;
  secrets: readonly string[];
  behaviour: Behaviour;
}

/**
 * A customer's webhook receiver for demos and tests: verifies, acknowledges a repeated webhook without acting on it, and
 * misbehaves when told to. Not listening yet.
 */
export function createReceiver(options: ReceiverOptions): Server {
  const inbox = createInbox(options.capacity);
  const state: State = { options, inbox, secrets: options.secrets, behaviour: WELL_BEHAVED };
  const routes: Routes = {
    '/hook': { POST: (request, body) => receive(state, request, body) },
    '/behaviour': {
      GET: () => ({ status: 200, body: state.behaviour }),
      PUT: (_request, body) => changeBehaviour(state, body),
    },
    '/secrets': { PUT: (_request, body) => changeSecrets(state, body) },
    '/deliveries': { GET: () => ({ status: 200, body: { items: inbox.list() } }) },
    '/healthz': { GET: () => ({ status: 200, body: { status: 'ok' } }) },
  };
  return createServer((request, response) => void serve(routes, request, response));
}

/** A webhook that is refused for its signature is no use of the behaviour. */
async function receive(state: State, request: IncomingMessage, body: Buffer): Promise<Answer> {
  const { headers } = request;
  const at = state.options.now().toISOString();
  const id = headers['webhook-id']?.toString() ?? null;
  const reason = whyUnverified(state.secrets, headers, body);
  const verified = reason === undefined;
  const { status, delayMs } = verified ? state.behaviour : { status: 401, delayMs: 0 };
  const duplicate = verified && id !== null && state.inbox.knows(id);
  if (verified) state.behaviour = afterUse(state.behaviour);
  if (delayMs > 0) await wait(delayMs);
  const received = { id, eventType: eventTypeOf(body), verified, duplicate, headers, status, at };
  state.inbox.add(received);
  state.options.report(describeReceived(received));
  return { status, body: verified ? { received: id, duplicate } : { error: `not verified: ${reason}` } };
}

function changeBehaviour(state: State, body: Buffer): Answer {
  const parsed = parseBehaviour(parseJson(body));
  if ('mistakes' in parsed)
    return { status: 400, body: { error: 'not a behaviour', mistakes: parsed.mistakes } };
  state.behaviour = parsed.value;
  return { status: 200, body: state.behaviour };
}

function changeSecrets(state: State, body: Buffer): Answer {
  const secrets = parseSecrets(parseJson(body));
  if (secrets === undefined) return { status: 400, body: { error: 'must be {"secrets": ["whsec_…"]}' } };
  state.secrets = secrets;
  return { status: 200, body: { secrets: secrets.length } };
}

type Handler = (request: IncomingMessage, body: Buffer) => Answer | Promise<Answer>;
type Routes = Readonly<Record<string, Readonly<Partial<Record<string, Handler>>>>>;

async function serve(routes: Routes, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const { status, body } = await route(routes, request);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  } catch {
    // The sender went away in the middle of its request.
    response.destroy();
  }
}

async function route(routes: Routes, request: IncomingMessage): Promise<Answer> {
  const path = (request.url ?? '').split('?', 1)[0] ?? '';
  const methods = Object.hasOwn(routes, path) ? routes[path] : undefined;
  if (methods === undefined)
    return { status: 404, body: { error: `known are ${Object.keys(routes).join(', ')}` } };
  const handler = methods[request.method ?? ''];
  if (handler === undefined) {
    return { status: 405, body: { error: `allowed are ${Object.keys(methods).join(', ')}` } };
  }
  const body = await readBody(request);
  if (body === undefined) return { status: 413, body: { error: `more than ${BODY_LIMIT} bytes` } };
  return handler(request, body);
}

function eventTypeOf(body: Buffer): string | null {
  const eventType = (parseJson(body) as { eventType?: unknown } | null | undefined)?.eventType;
  return typeof eventType === 'string' ? eventType : null;
}
