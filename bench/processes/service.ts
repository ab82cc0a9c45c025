import { describeExit, type Exit } from '#dev/processes/start-process';
import { startService as launch } from '#dev/processes/start-service';

export type ServiceName = 'api' | 'dispatcher' | 'dlq-consumer';

/** A service as a process of its own, the way it runs in production. */
export interface Service {
  readonly name: ServiceName;
  readonly pid: number;
  /** Of its API, or of its health checks. */
  readonly origin: string;
  readonly logFile: string;
  readonly exited: Promise<Exit>;
  /** Stops it gracefully. @throws Error when it does not exit with code 0 */
  stop(): Promise<void>;
  /** Ends it within seconds. */
  dismiss(): Promise<unknown>;
}

export interface ServiceStart {
  readonly service: ServiceName;
  readonly env: Readonly<Record<string, string>>;
  readonly logFile: string;
  /** Arguments for Node, besides those of the image. */
  readonly nodeArgs: readonly string[];
  readonly signal: AbortSignal;
}

/** As in the image; docs/decisions.md says why. */
export const NODE_ARGS = ['--max-semi-space-size=16', '--max-old-space-size=1984'];
const STOP_GRACE_MS = 30_000;
/** Enough to close open transactions: after a SIGKILL, the database would keep their locks for a minute. */
const DISMISSAL_GRACE_MS = 4_000;
const ANY_PORT = { PORT: '0', HEALTH_PORT: '0', METRICS_PORT: '0' };

/** Starts a service and resolves once it is ready. @throws Error with the end of its log when it fails to start */
export async function startService(start: ServiceStart): Promise<Service> {
  const { service: name, env, logFile, signal } = start;
  const nodeArgs = [...NODE_ARGS, ...start.nodeArgs];
  const running = await launch({ name, env: { ...process.env, ...env, ...ANY_PORT }, logFile, nodeArgs });
  signal.addEventListener('abort', running.kill, { once: true });
  try {
    signal.throwIfAborted();
    await running.ready;
  } catch (error) {
    running.kill();
    throw error;
  } finally {
    signal.removeEventListener('abort', running.kill);
  }
  return {
    name,
    pid: running.pid,
    origin: `http://127.0.0.1:${running.port}`,
    logFile,
    exited: running.exited,
    async stop() {
      const exit = await running.stop(STOP_GRACE_MS);
      if (exit.code !== 0) throw new Error(`the ${name} did not stop gracefully (${describeExit(exit)})`);
    },
    dismiss: () => running.stop(DISMISSAL_GRACE_MS),
  };
}
