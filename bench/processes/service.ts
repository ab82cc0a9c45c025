import { join } from 'node:path';
import { chooseFreePorts } from '#dev/processes/free-ports';
import type { Guard } from '#dev/processes/guard';
import { poll } from '#dev/processes/poll';
import { describeExit, type Exit, type RunningProcess, startProcess } from '#dev/processes/start-process';
import { entryPoint } from '#dev/start/describe-services';
import { ROOT } from '#dev/start/places';
import { readEnd } from './service-log.js';

export type ServiceName = 'api' | 'dispatcher' | 'dlq-consumer';

/** A service as a process of its own, the way it runs in production. */
export interface Service {
  readonly name: ServiceName;
  readonly pid: number;
  /** Where it answers: its interface, or its health checks alone. */
  readonly origin: string;
  readonly logFile: string;
  readonly exited: Promise<Exit>;
  /** Ends it as an operator would. @throws Error when it does not end well */
  stop(): Promise<void>;
  /** Ends it within seconds, well or not. */
  dismiss(): Promise<void>;
}

export interface ServiceStart {
  readonly service: ServiceName;
  readonly env: Readonly<Record<string, string>>;
  /** Where its log goes; written by itself, so that nobody's time goes into reading it. */
  readonly logFile: string;
  /** Arguments for Node, besides those of the image. */
  readonly nodeArgs: readonly string[];
  readonly guard: Guard;
  readonly signal: AbortSignal;
}

/** The variable that says on which port a service answers. */
const PORT_OF = { api: 'PORT', dispatcher: 'HEALTH_PORT', 'dlq-consumer': 'HEALTH_PORT' } as const;
/** As in the image; docs/decisions/0044 and 0050 say why. */
export const NODE_ARGS = ['--max-semi-space-size=16', '--max-old-space-size=1984'];
const READY_WITHIN_MS = 60_000;
const READY_POLL_MS = 20;
const STOP_GRACE_MS = 30_000;
/** Enough to end what is open in the database: killed at once, it would hold its locks there for a minute. */
const DISMISSAL_GRACE_MS = 4_000;

/** Starts a service and resolves once it is ready. @throws Error with the end of its log when it does not get there */
export async function startService(start: ServiceStart): Promise<Service> {
  const { service } = start;
  const [port = 0] = await chooseFreePorts([undefined]);
  const origin = `http://127.0.0.1:${port}`;
  const running = await startProcess(
    {
      command: process.execPath,
      args: [...NODE_ARGS, ...start.nodeArgs, join(ROOT, entryPoint(service))],
      env: { ...process.env, ...start.env, [PORT_OF[service]]: String(port), METRICS_PORT: '0' },
      output: { file: start.logFile },
    },
    start.guard,
  );
  try {
    await untilReady(running, { service, origin, signal: start.signal });
  } catch (error) {
    running.kill();
    const end = await readEnd(start.logFile);
    throw new Error(`${(error as Error).message}; its log ends with\n${end}`, { cause: error });
  }
  return {
    name: service,
    pid: running.pid,
    origin,
    logFile: start.logFile,
    exited: running.exited,
    async stop() {
      const exit = await running.stop(STOP_GRACE_MS);
      if (exit.code !== 0) throw new Error(`the ${service} did not stop well (${describeExit(exit)})`);
    },
    async dismiss() {
      await running.stop(DISMISSAL_GRACE_MS);
    },
  };
}

interface Awaited {
  readonly service: string;
  readonly origin: string;
  readonly signal: AbortSignal;
}

async function untilReady(running: RunningProcess, { service, origin, signal }: Awaited): Promise<void> {
  const ended = new AbortController();
  void running.exited.then((exit) =>
    ended.abort(new Error(`the ${service} ended at once (${describeExit(exit)})`)),
  );
  const isReady = async (): Promise<true | undefined> => {
    const answer = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(5_000) });
    await answer.arrayBuffer();
    return answer.ok ? true : undefined;
  };
  await poll(isReady, {
    everyMs: READY_POLL_MS,
    timeoutMs: READY_WITHIN_MS,
    what: `the ${service} being ready`,
    signal: AbortSignal.any([signal, ended.signal]),
  });
}
