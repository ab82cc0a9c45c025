import { setTimeout as sleep } from 'node:timers/promises';
import { describeExit } from '#dev/processes/start-process';
import type { ServiceName, ServiceProcess } from '#dev/processes/start-service';

/** A service whose process is replaced if it ends unexpectedly, as an orchestrator does. */
export interface SupervisedService {
  readonly name: ServiceName;
  port(): number;
  metricsPort(): number;
  pid(): number;
  /** Resolves when the current process is ready. */
  ready(): Promise<void>;
  /** Kills the current process; waits for one that is being replaced. */
  kill(): Promise<void>;
  freeze(): void;
  resume(): void;
  /** Ends the process as an operator does, without a replacement. */
  stop(): Promise<void>;
  /** Unexpected exits, in order. */
  exits(): readonly UnexpectedExit[];
  /** When the current process got the oldest of its partitions; null if it is not ready or a group has none. */
  partitionsSince(): number | null;
}

export interface UnexpectedExit {
  /** Such as `SIGKILL` or `exit code 1`. */
  readonly how: string;
  readonly lastLine: string;
}

/** A process with what the faults read from its log. */
export interface ObservedProcess extends ServiceProcess {
  partitionsSince(): number | null;
  lastLine(): string;
}

interface SupervisedParts {
  readonly name: ServiceName;
  readonly launch: () => Promise<ObservedProcess>;
  readonly onExit: (exit: UnexpectedExit) => void;
  readonly onFreeze: () => void;
  readonly onStop: () => void;
}

/** How a process exits when it is killed from outside or at a failpoint. */
export const KILLED = 'SIGKILL';
const REPLACED_AFTER_MS = 200;
const STOP_GRACE_MS = 25_000;

export async function superviseService(parts: SupervisedParts): Promise<SupervisedService> {
  const { name, launch, onExit, onFreeze, onStop } = parts;
  let current = await launch();
  let replaced = Promise.resolve(current);
  let isStopping = false;
  let port = 0;
  const exits: UnexpectedExit[] = [];
  const replace = async () => {
    await sleep(REPLACED_AFTER_MS);
    return isStopping ? current : launch();
  };
  const supervise = async () => {
    while (!isStopping) {
      const exit = { how: describeExit(await current.exited), lastLine: current.lastLine() };
      if (isStopping) return;
      exits.push(exit);
      onExit(exit);
      replaced = replace();
      current = await replaced;
    }
  };
  void supervise();
  return {
    name,
    ready: () => current.ready,
    port() {
      port = current.port || port;
      return port;
    },
    metricsPort: () => current.metricsPort,
    pid: () => current.pid,
    async kill() {
      const living = await replaced;
      living.kill();
      await living.exited;
    },
    freeze() {
      onFreeze();
      current.signal('SIGSTOP');
    },
    resume: () => current.signal('SIGCONT'),
    async stop() {
      isStopping = true;
      onStop();
      await (await replaced).stop(STOP_GRACE_MS);
    },
    exits: () => exits,
    partitionsSince: () => current.partitionsSince(),
  };
}
