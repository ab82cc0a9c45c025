import { sleep } from '@postrider/shared/runtime/sleep';
import { createToken } from './create-token.js';
import { createWorkspace } from './create-workspace.js';
import { UsageError } from './errors.js';
import type { Terminal } from './terminal.js';
import { waitUntilReady } from './wait-until-ready.js';

interface SelfTestOptions {
  readonly apiUrl: string;
  /** The receiver of the test event; by default a host name that never resolves. */
  readonly url?: string;
  /** Time limit in milliseconds, from the wait for the api to the first attempt. */
  readonly within: number;
}

const SLUG = 'self-test';
/** A name that never resolves (RFC 2606), so nothing leaves the cluster. */
const UNRESOLVABLE_URL = 'https://receiver.invalid/hook';
const TOKEN_LIFETIME_MS = 10 * 60 * 1_000;
const POLL_INTERVAL_MS = 250;
const REQUEST_TIMEOUT_MS = 15_000;

interface Attempt {
  readonly status: string;
  readonly httpStatus: number | null;
  readonly failureReason: string | null;
}

/**
 * Waits for the api, sends a test event through api, broker and dispatcher, and waits until its first attempt is
 * recorded. Uses its own workspace and a short-lived token, and deletes the endpoint that it creates.
 */
export async function selfTest(
  env: NodeJS.ProcessEnv,
  options: SelfTestOptions,
  terminal: Terminal,
): Promise<void> {
  const deadline = performance.now() + options.within;
  const apiUrl = options.apiUrl.replace(/\/+$/, '');
  await waitUntilReady({ apiUrl, deadline });
  const send = createClient(apiUrl, await createWorkspaceToken(env, terminal));
  const newEndpoint = {
    url: options.url ?? UNRESOLVABLE_URL,
    eventTypes: ['billing.plan_changed'],
    description: 'Self-test',
  };
  const endpoint = (await send('POST', '/webhooks', newEndpoint)) as { id: string };
  try {
    const sent = await send('POST', `/webhooks/${endpoint.id}/test-event`);
    const { deliveryId } = sent as { deliveryId: string };
    const attempt = await firstAttempt(send, deliveryId, deadline);
    const outcome = attempt.httpStatus === null ? attempt.failureReason : `HTTP ${attempt.httpStatus}`;
    if (options.url !== undefined && attempt.status !== 'delivered')
      throw new UsageError(`${options.url} did not accept the test event: ${outcome}`);
    terminal.print(`The test event ${deliveryId} was attempted: ${attempt.status} (${outcome}).`);
  } finally {
    await send('DELETE', `/webhooks/${endpoint.id}`);
  }
}

async function createWorkspaceToken(env: NodeJS.ProcessEnv, terminal: Terminal): Promise<string> {
  const lines: string[] = [];
  const quiet: Terminal = { print: (line) => void lines.push(line), printError: () => {} };
  const workspace = { slug: SLUG, name: 'Self-test', ownerEmail: 'self-test@postrider.invalid' };
  await createWorkspace(env, workspace, { ...terminal, print: () => {} }).catch((error: unknown) => {
    if (!(error instanceof UsageError) || !error.message.includes('is taken')) throw error;
  });
  const token = {
    workspace: SLUG,
    name: 'self-test',
    scopes: ['write'],
    expiresIn: TOKEN_LIFETIME_MS,
    json: true,
  };
  await createToken(env, token, quiet);
  return (JSON.parse(lines.join('')) as { token: string }).token;
}

type Send = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<unknown>;

function createClient(apiUrl: string, token: string): Send {
  return async (method, path, body) => {
    const response = await fetch(`${apiUrl}/workspaces/${SLUG}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    }).catch((cause: Error) => {
      throw new UsageError(`--api-url ${apiUrl} does not respond: ${String(cause.cause ?? cause)}`);
    });
    const text = await response.text();
    if (!response.ok) throw new UsageError(`${method} ${path} returned ${response.status}: ${text}`);
    return text === '' ? null : JSON.parse(text);
  };
}

async function firstAttempt(send: Send, deliveryId: string, deadline: number): Promise<Attempt> {
  for (; performance.now() < deadline; await sleep(POLL_INTERVAL_MS)) {
    const page = await send('GET', `/webhooks/deliveries/${deliveryId}/attempts`);
    const [first] = (page as { items: readonly Attempt[] }).items;
    if (first !== undefined) return first;
  }
  throw new UsageError(`no attempt of ${deliveryId} was recorded in time: is the dispatcher running?`);
}
