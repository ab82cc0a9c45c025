import { Client } from 'undici';
import type { Asked } from './load.js';

/** One connection of a client at a time. */
export interface StickyConnection {
  /** @returns the status. @throws Error when the connection breaks first */
  ask(asked: Asked, headers: Readonly<Record<string, string>>): Promise<number>;
  close(): Promise<void>;
}

const ANSWER_WITHIN_MS = 15_000;

/**
 * A connection through something that knows connections and no requests, as a Service of Kubernetes does: it stays with
 * the process that it led to, whether or not that one still gets new ones, until it breaks.
 *
 * @param route where a new connection leads
 */
export function stickyConnection(route: () => string): StickyConnection {
  let current: Client | null = null;
  const open = (): Client => {
    const client = new Client(route(), { headersTimeout: ANSWER_WITHIN_MS });
    client.on('disconnect', () => void drop(client));
    client.on('connectionError', () => void drop(client));
    return client;
  };
  const drop = async (client: Client) => {
    if (current === client) current = null;
    await client.destroy();
  };
  return {
    async ask({ method, path, body = null }, headers) {
      current ??= open();
      const answer = await current.request({ method, path, body, headers });
      await answer.body.arrayBuffer();
      return answer.statusCode;
    },
    async close() {
      if (current !== null) await drop(current);
    },
  };
}
