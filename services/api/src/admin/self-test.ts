import { setTimeout as wait } from 'node:timers/promises';
import { awaitAnswer } from './await-answer.js';
import { createToken } from './create-token.js';
import { createWorkspace } from './create-workspace.js';
import type { Terminal } from './terminal.js';
import { UsageError } from './usage-error.js';

interface SelfTestOptions {
  readonly apiUrl: string;
  /** Where the test event goes; undefined: to a name that cannot exist. */
  readonly url?: string;
  /** For all of it, from the wait for the api to the first attempt; in milliseconds. */
  readonly within: number;
}

const SLUG = 'self-test';
/** A name that never resolves (RFC 2606), so nothing leaves the cluster. */
const NOWHERE = 'https://receiver.invalid/hook';
const TOKEN_LIFE_MS = 10 * 60 * 1_000;
const LOOK_EVERY_MS = 250;
const ANSWER_WITHIN_MS = 15_000;

interface Attempt {
  readonly status: string;
  readonly httpStatus: number | null;
  readonly failureReason: string | null;
}

/**
 * Waits for the api, sends a test event through it, broker and dispatcher, and waits until its first attempt is on
 * record. Works in a workspace of its own, with a token that soon expires, and removes the endpoint that it made.
 */
export async function selfTest(
  env: NodeJS.ProcessEnv,
  options: SelfTestOptions,
  terminal: Terminal,
): Promise<void> {
  const until = performance.now() + options.within;
  await awaitAnswer({ apiUrl: options.apiUrl, until });
  const ask = asking(options.apiUrl, await openWorkspace(env, terminal));
  const newEndpoint = {
    url: options.url ?? NOWHERE,
    eventTypes: ['billing.plan_changed'],
    description: 'Self-test',
  };
  const endpoint = (await ask('POST', '/webhooks', newEndpoint)) as { id: string };
  try {
    const sent = await ask('POST', `/webhooks/${endpoint.id}/test-event`);
    const { deliveryId } = sent as { deliveryId: string };
    const attempt = await firstAttempt(ask, deliveryId, until);
    const answer = attempt.httpStatus === null ? attempt.failureReason : `HTTP ${attempt.httpStatus}`;
    if (options.url !== undefined && attempt.status !== 'delivered')
      throw new UsageError(`${options.url} did not take the test event: ${answer}`);
    terminal.print(`The test event ${deliveryId} went through: ${attempt.status} (${answer}).`);
  } finally {
    await ask('DELETE', `/webhooks/${endpoint.id}`);
  }
}

async function openWorkspace(env: NodeJS.ProcessEnv, terminal: Terminal): Promise<string> {
  const lines: string[] = [];
  const quiet: Terminal = { print: (line) => void lines.push(line), printError: () => {} };
  const made = { slug: SLUG, name: 'Self-test', ownerEmail: 'self-test@postrider.invalid' };
  await createWorkspace(env, made, { ...terminal, print: () => {} }).catch((error: unknown) => {
    if (!(error instanceof UsageError) || !error.message.includes('is taken')) throw error;
  });
  const token = {
    workspace: SLUG,
    name: 'self-test',
    scopes: ['write'],
    expiresIn: TOKEN_LIFE_MS,
    json: true,
  };
  await createToken(env, token, quiet);
  return (JSON.parse(lines.join('')) as { token: string }).token;
}

type Ask = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<unknown>;

function asking(apiUrl: string, token: string): Ask {
  return async (method, path, body) => {
    const answer = await fetch(`${apiUrl}/workspaces/${SLUG}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    }).catch((cause: Error) => {
      throw new UsageError(`--api-url ${apiUrl} does not answer: ${String(cause.cause ?? cause)}`);
    });
    const text = await answer.text();
    if (!answer.ok) throw new UsageError(`${method} ${path} was answered ${answer.status}: ${text}`);
    return text === '' ? null : JSON.parse(text);
  };
}

async function firstAttempt(ask: Ask, deliveryId: string, until: number): Promise<Attempt> {
  for (; performance.now() < until; await wait(LOOK_EVERY_MS)) {
    const page = await ask('GET', `/webhooks/deliveries/${deliveryId}/attempts`);
    const [first] = (page as { items: readonly Attempt[] }).items;
    if (first !== undefined) return first;
  }
  throw new UsageError(`no attempt of ${deliveryId} was recorded in time: is the dispatcher up?`);
}
