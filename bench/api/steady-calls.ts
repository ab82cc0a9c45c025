import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { newTraceId, traceparentOf } from '@postrider/shared/runtime/trace';
import { machineNow } from '../measure/clock.js';
import type { Asked } from './load.js';
import { type StickyConnection, stickyConnection } from './sticky-connection.js';

export interface SteadyPlan {
  /** The processes that get new connections now; they take turns. */
  readonly origins: () => readonly string[];
  /** The bearer's. */
  readonly secret: string;
  readonly perSecond: number;
  readonly ask: (number: number) => Asked;
}

/** A call that had the status that it should. */
export interface AcceptedCall {
  /** Of everything that it brought about. */
  readonly traceId: string;
  /** The machine's time. */
  readonly madeAt: number;
}

export interface CallsMade {
  readonly accepted: readonly AcceptedCall[];
  /** From the first try to the answer, in milliseconds. */
  readonly latenciesMs: readonly number[];
  /** Tries beyond the first of a call, because a connection was refused or broke. */
  readonly triedAgain: number;
  /** What became of the others. */
  readonly refused: readonly string[];
}

/** Calls on one wait for each other: so many that they hardly have to. */
const CONNECTIONS = 16;
const TRIES = 10;
const BETWEEN_TRIES_MS = 100;
/** Of no span that anybody records. */
const SPAN_ID = '00f067aa0ba902b7';

/**
 * Makes calls at a rate, whatever becomes of them, as a careful client does: what a broken connection leaves open is
 * asked again with the same `Idempotency-Key`, so each call has its effect once.
 *
 * @returns makes no new ones, waits for those under way and tells of all of them
 */
export function steadyCalls({ origins, secret, perSecond, ask }: SteadyPlan): () => Promise<CallsMade> {
  let opened = 0;
  const route = (): string => {
    const all = origins();
    opened += 1;
    return all[opened % all.length] ?? '';
  };
  const connections = Array.from({ length: CONNECTIONS }, () => stickyConnection(route));
  const accepted: AcceptedCall[] = [];
  const latenciesMs: number[] = [];
  const refused: string[] = [];
  let triedAgain = 0;

  const call = async (number: number, connection: StickyConnection): Promise<void> => {
    const asked = ask(number);
    const traceId = newTraceId();
    const madeAt = machineNow();
    const headers = {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
      traceparent: traceparentOf(traceId, SPAN_ID),
    };
    const outcome = await tryOften(() => connection.ask(asked, headers));
    triedAgain += outcome.tries - 1;
    latenciesMs.push(machineNow() - madeAt);
    if (outcome.result === asked.status) accepted.push({ traceId, madeAt });
    else refused.push(`${outcome.result}`);
  };

  const calls: Promise<void>[] = [];
  const timer = setInterval(() => {
    const connection = connections[calls.length % CONNECTIONS];
    if (connection !== undefined) calls.push(call(calls.length, connection));
  }, 1_000 / perSecond);
  return async () => {
    clearInterval(timer);
    await Promise.all(calls);
    await Promise.all(connections.map((connection) => connection.close()));
    return { accepted, latenciesMs, triedAgain, refused };
  };
}

/** @returns the status, or the reason why there is none */
async function tryOften(
  send: () => Promise<number>,
): Promise<{ readonly tries: number; readonly result: number | string }> {
  for (let tries = 1; ; tries += 1) {
    try {
      return { tries, result: await send() };
    } catch (error) {
      if (tries === TRIES) return { tries, result: (error as Error).message };
      await pause(BETWEEN_TRIES_MS);
    }
  }
}
