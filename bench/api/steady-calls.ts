import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { newTraceId, traceparentOf } from '@postrider/shared/runtime/trace';
import { buildConnector, Client } from 'undici';
import type { ApiCall } from '../account/delivery-records.js';
import { machineNow } from '../measure/clock.js';
import type { ApiRequest } from './measure-api.js';

export interface SteadyPlan {
  /** The processes that currently accept new connections; they are used in turn. */
  readonly origins: () => readonly string[];
  readonly token: string;
  readonly perSecond: number;
  readonly request: (number: number) => ApiRequest;
}

/** Calls on one connection are sequential; with this number of connections they hardly wait for each other. */
const CONNECTIONS = 16;
const TRIES = 10;
const RETRY_PAUSE_MS = 100;
const ANSWER_TIMEOUT_MS = 15_000;
/** Any valid span id. */
const SPAN_ID = '00f067aa0ba902b7';

/**
 * Makes calls at a fixed rate as a careful client does: after a broken connection it repeats the call with the same
 * `Idempotency-Key`, so that each call has its effect once. Connections behave as through a Kubernetes Service: each
 * stays with its process until it breaks, even if that process no longer gets new connections.
 *
 * @returns a function that stops, waits for the calls in flight and returns the results
 */
export function startCalls({ origins, token, perSecond, request }: SteadyPlan) {
  /** Calls with the expected status. */
  const accepted: Pick<ApiCall, 'traceId' | 'createdAt'>[] = [];
  /** From the first try to the answer. */
  const latenciesMs: number[] = [];
  /** The status or error of each other call. */
  const refused: string[] = [];
  const calls: Promise<void>[] = [];
  /** Tries after the first of a call, because a connection was refused or broke. */
  let retries = 0;

  const connector = buildConnector({});
  let opened = 0;
  const connect: buildConnector.connector = (options, callback) => {
    const available = origins();
    opened += 1;
    connector({ ...options, port: new URL(available[opened % available.length] ?? '').port }, callback);
  };
  const clients = Array.from(
    { length: CONNECTIONS },
    () => new Client('http://127.0.0.1', { connect, headersTimeout: ANSWER_TIMEOUT_MS }),
  );
  const call = async (number: number): Promise<void> => {
    const { status: expected, body = null, ...target } = request(number);
    const traceId = newTraceId();
    const createdAt = machineNow();
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
      traceparent: traceparentOf(traceId, SPAN_ID),
    };
    const send = async (): Promise<number> => {
      const response = await clients[number % CONNECTIONS]!.request({ ...target, body, headers });
      await response.body.arrayBuffer();
      return response.statusCode;
    };
    let result: number | string = '';
    for (let tries = 1; tries <= TRIES && typeof result === 'string'; tries += 1) {
      if (tries > 1) {
        retries += 1;
        await sleep(RETRY_PAUSE_MS);
      }
      result = await send().catch((error: Error) => error.message);
    }
    latenciesMs.push(machineNow() - createdAt);
    if (result === expected) accepted.push({ traceId, createdAt });
    else refused.push(`${result}`);
  };

  const timer = setInterval(() => calls.push(call(calls.length)), 1_000 / perSecond);
  return async () => {
    clearInterval(timer);
    await Promise.all(calls);
    await Promise.all(clients.map((client) => client.destroy()));
    return { accepted, latenciesMs, retries, refused };
  };
}
