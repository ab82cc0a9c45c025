import { setTimeout as sleep } from 'node:timers/promises';
import getPort from 'get-port';
import type { Client } from '../client.js';
import { answerBeforeEnd } from './answer-before-end.js';
import { startSample } from './running-sample.js';

/** What became of the probes of a conformance check at a sample. */
export interface Tried {
  readonly failedProbes: readonly string[];
  /** Deliveries that were handled. */
  readonly handled: number;
  /** Those of them that were handled more than once. */
  readonly repeated: number;
  /** The answer to a body that is too large, before its end. */
  readonly tooLarge: number | null;
}

interface Check {
  readonly status: string;
  readonly results: readonly { readonly probe: string; readonly passed: boolean }[];
}

/** How long effects may come after the answers, in milliseconds. */
const EFFECTS_MS = 1_000;
const POLL_EVERY_MS = 200;

/** Starts a sample, checks it, and counts its effects. */
export async function trySample(
  client: Client,
  { command, folder, inbox }: { command: readonly string[]; folder: string; inbox: string },
): Promise<Tried> {
  const port = await getPort();
  const url = `http://127.0.0.1:${port}/hook`;
  const { id } = await client.call<{ id: string }>('POST', '/webhooks', {
    url,
    eventTypes: ['billing.plan_changed'],
  });
  const { secret } = await client.call<{ secret: string }>('POST', `/webhooks/${id}/rotate-secret`);
  const env = { WEBHOOK_SECRET: secret, INBOX: inbox };
  const sample = await startSample({ command, folder, port, env });
  try {
    const { results } = await check(client, `/webhooks/${id}/conformance-checks`);
    await sleep(EFFECTS_MS);
    const counts = [...sample.handled.values()];
    return {
      tooLarge: await answerBeforeEnd(port),
      failedProbes: results.filter(({ passed }) => !passed).map(({ probe }) => probe),
      handled: counts.length,
      repeated: counts.filter((count) => count > 1).length,
    };
  } finally {
    await sample.stop();
  }
}

async function check(client: Client, path: string): Promise<Check> {
  const { checkId } = await client.call<{ checkId: string }>('POST', path);
  for (;;) {
    const found = await client.call<Check>('GET', `${path}/${checkId}`);
    if (found.status !== 'running') return found;
    await sleep(POLL_EVERY_MS);
  }
}
