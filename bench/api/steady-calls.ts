import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { newTraceId, traceparentOf } from '@postrider/shared/runtime/trace';
import { Client } from 'undici';
import type { ApiCall } from '../account/delivery-records.js';
import { machineNow } from '../measure/clock.js';
import type { ApiRequest } from './load.js';

export interface SteadyPlan {
  /** The processes that currently accept new connections; they are used in turn. */
  readonly origins: () => readonly string[];
  readonly token: string;
  readonly perSecond: number;
  readonly request: (number: number) => ApiRequest;
}

export interface CallResults {
  /** Calls with the expected status. */
  readonly accepted: readonly Pick<ApiCall, 'traceId' | 'createdAt'>[];
  /** From the first try to the answer, in milliseconds. */
  readonly latenciesMs: readonly number[];
  /** Tries after the first of a call, because a connection was refused or broke. */
  readonly retries: number;
  /** The status or error of each other call. */
  readonly refused: readonly string[];
}

/** Calls on one connection are sequential; with this many they hardly wait for each other. */
const CONNECTIONS = 16;
const TRIES = 10;
const RETRY_PAUSE_MS = 100;
const ANSWER_TIMEOUT_MS = 15_000;
/** Any valid span id. */
const SPAN_ID = '00f067aa0ba902b7';

/**
 * Makes calls at a fixed rate as a careful client does: after a broken connection it repeats the call with the same
 * `Idempotency-Key`, so that each call has its effect once.
 *
 * @returns a function that stops, waits for the calls in flight and returns the results
 */
export function startCalls({ origins, token, perSecond, request }: SteadyPlan): () => Promise<CallResults> {
  let opened = 0;
  const chooseOrigin = (): string => {
    const all = origins();
    opened += 1;
    return all[opened % all.length] ?? '';
  };
  const connections = Array.from({ length: CONNECTIONS }, () => createConnection(chooseOrigin));
  const accepted: Pick<ApiCall, 'traceId' | 'createdAt'>[] = [];
  const latenciesMs: number[] = [];
  const refused: string[] = [];
  let retries = 0;

  const call = async (number: number, connection: Connection): Promise<void> => {
    const { status: expected, ...sent } = request(number);
    const traceId = newTraceId();
    const createdAt = machineNow();
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
      traceparent: traceparentOf(traceId, SPAN_ID),
    };
    let result: number | string = '';
    for (let tries = 1; tries <= TRIES && typeof result === 'string'; tries += 1) {
      if (tries > 1) {
        retries += 1;
        await pause(RETRY_PAUSE_MS);
      }
      result = await connection.send(sent, headers).catch((error: Error) => error.message);
    }
    latenciesMs.push(machineNow() - createdAt);
    if (result === expected) accepted.push({ traceId, createdAt });
    else refused.push(`${result}`);
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
    return { accepted, latenciesMs, retries, refused };
  };
}

interface Connection {
  /** @returns the status. @throws Error if the connection breaks first */
  send(request: Omit<ApiRequest, 'status'>, headers: Readonly<Record<string, string>>): Promise<number>;
  close(): Promise<void>;
}

/**
 * A connection through a balancer of connections such as a Kubernetes Service: it stays with its process until it
 * breaks, even if that process gets no new connections any more.
 */
function createConnection(chooseOrigin: () => string): Connection {
  let current: Client | null = null;
  const close = async (client: Client | null) => {
    if (current === client) current = null;
    await client?.destroy();
  };
  return {
    async send({ body = null, ...request }, headers) {
      if (current === null) {
        const client = new Client(chooseOrigin(), { headersTimeout: ANSWER_TIMEOUT_MS });
        client.on('disconnect', () => void close(client));
        client.on('connectionError', () => void close(client));
        current = client;
      }
      const response = await current.request({ ...request, body, headers });
      await response.body.arrayBuffer();
      return response.statusCode;
    },
    close: () => close(current),
  };
}
