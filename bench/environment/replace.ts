import { machineNow } from '../measure/clock.js';
import type { JobName } from '../processes/job.js';
import type { Service, ServiceName } from '../processes/service.js';
import type { Environment } from './environment.js';

interface Rollout {
  /** The init container of a new pod. */
  readonly first: JobName | null;
  /** How long an old pod continues before SIGTERM, while it gets no new connections. */
  readonly preStopMs: number;
}

/** How a pod of each deployment is replaced according to deploy/. */
export const ROLLOUTS: Readonly<Record<ServiceName, Rollout>> = {
  api: { first: 'migrate', preStopMs: 5_000 },
  dispatcher: { first: null, preStopMs: 0 },
  'dlq-consumer': { first: null, preStopMs: 0 },
};

/**
 * Replaces a process as Kubernetes does: the new one is ready before the old one is stopped.
 *
 * @param onLeaving called when the old process gets no new connections any more
 * @returns how long the old process took from SIGTERM to its exit, in milliseconds
 * @throws Error if it does not exit cleanly
 */
export async function replaceProcess(
  environment: Pick<Environment, 'run' | 'start' | 'pause' | 'stop'>,
  old: Service,
  onLeaving: () => void,
): Promise<number> {
  const { first, preStopMs } = ROLLOUTS[old.name];
  if (first !== null) await environment.run(first);
  await environment.start(old.name);
  onLeaving();
  await environment.pause(preStopMs);
  const stoppedAt = machineNow();
  await environment.stop(old);
  return machineNow() - stoppedAt;
}
