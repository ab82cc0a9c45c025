import { machineNow } from '../measure/clock.js';
import type { JobName } from '../processes/job.js';
import type { Service, ServiceName } from '../processes/service.js';
import type { Environment } from './environment.js';

interface Rollout {
  /** What a new pod runs before its service starts. */
  readonly first: JobName | null;
  /** How long a pod that has to end goes on before it is told so: nobody leads new connections to it meanwhile. */
  readonly preStopMs: number;
}

/** How a pod of each deployment is replaced, as deploy/ says. */
export const ROLLOUTS: Readonly<Record<ServiceName, Rollout>> = {
  api: { first: 'migrate', preStopMs: 5_000 },
  dispatcher: { first: null, preStopMs: 0 },
  'dlq-consumer': { first: null, preStopMs: 0 },
};

export interface Replacing {
  readonly old: Service;
  /** Told once the new process is ready, before the old one hears of its end. */
  readonly onLeaving: (old: Service) => void;
}

/**
 * Replaces a process as Kubernetes does: the new one is ready before the old one goes.
 *
 * @returns how long the old one took from SIGTERM to its end, in milliseconds
 * @throws Error when it does not end well
 */
export async function replace(
  environment: Pick<Environment, 'run' | 'start' | 'pause' | 'stop'>,
  { old, onLeaving }: Replacing,
): Promise<number> {
  const { first, preStopMs } = ROLLOUTS[old.name];
  if (first !== null) await environment.run(first);
  await environment.start(old.name);
  onLeaving(old);
  await environment.pause(preStopMs);
  const toldAt = machineNow();
  await environment.stop(old);
  return machineNow() - toldAt;
}
