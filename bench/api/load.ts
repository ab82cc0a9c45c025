import { Pool } from 'undici';
import { machineNow } from '../measure/clock.js';
import type { Span } from '../measure/timeline.js';

/** One request of a measurement. */
export interface Asked {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** JSON. */
  readonly body?: string;
  /** The only status that is right. */
  readonly status: number;
}

export interface LoadPlan {
  readonly origin: string;
  /** The bearer's. */
  readonly secret: string;
  /** Each asks again once it has its answer, over a connection of its own. */
  readonly clients: number;
  readonly seconds: number;
  readonly ask: (number: number) => Asked;
  readonly signal: AbortSignal;
}

/** What came of it. */
export interface Answers {
  readonly span: Span;
  readonly latenciesMs: readonly number[];
  /** Answers with another status than they should have, by status. */
  readonly wrong: ReadonlyMap<number, number>;
}

/** Asks for some time, as fast as the answers come. */
export async function load({ origin, secret, clients, seconds, ask, signal }: LoadPlan): Promise<Answers> {
  const pool = new Pool(origin, { connections: clients });
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const latenciesMs: number[] = [];
  const wrong = new Map<number, number>();
  const from = machineNow();
  const until = from + seconds * 1_000;
  let asked = 0;
  const client = async () => {
    for (let at = machineNow(); at < until; at = machineNow()) {
      signal.throwIfAborted();
      const { status, body = null, ...request } = ask(asked++);
      const answer = await pool.request({ ...request, body, headers });
      await answer.body.arrayBuffer();
      latenciesMs.push(machineNow() - at);
      if (answer.statusCode !== status) wrong.set(answer.statusCode, (wrong.get(answer.statusCode) ?? 0) + 1);
    }
  };
  try {
    await Promise.all(Array.from({ length: clients }, client));
  } finally {
    await pool.destroy();
  }
  return { span: { from, to: machineNow() }, latenciesMs, wrong };
}
