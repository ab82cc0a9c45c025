import { Pool } from 'undici';
import { machineNow } from '../measure/clock.js';

export interface ApiRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** JSON. */
  readonly body?: string;
  /** The expected status. */
  readonly status: number;
}

export interface LoadPlan {
  readonly origin: string;
  readonly token: string;
  /** Each has one connection and sends its next request once the previous one is answered. */
  readonly clients: number;
  readonly seconds: number;
  readonly request: (number: number) => ApiRequest;
  readonly signal: AbortSignal;
}

/** Sends requests for some time as fast as they are answered. */
export async function applyLoad({ origin, token, clients, seconds, ...plan }: LoadPlan) {
  const pool = new Pool(origin, { connections: clients });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const latenciesMs: number[] = [];
  /** How often each unexpected status came. */
  const unexpected = new Map<number, number>();
  const from = machineNow();
  const until = from + seconds * 1_000;
  let sent = 0;
  const client = async () => {
    for (let at = machineNow(); at < until; at = machineNow()) {
      plan.signal.throwIfAborted();
      const { status, body = null, ...request } = plan.request(sent++);
      const response = await pool.request({ ...request, body, headers });
      await response.body.arrayBuffer();
      latenciesMs.push(machineNow() - at);
      const { statusCode } = response;
      if (statusCode !== status) unexpected.set(statusCode, (unexpected.get(statusCode) ?? 0) + 1);
    }
  };
  try {
    await Promise.all(Array.from({ length: clients }, client));
  } finally {
    await pool.destroy();
  }
  return { span: { from, to: machineNow() }, latenciesMs, unexpected };
}
