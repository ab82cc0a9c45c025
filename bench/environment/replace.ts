import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { machineNow } from '../measure/clock.js';
import type { JobName, Service, ServiceName } from '../processes/service.js';
import type { Environment } from './environment.js';

export interface Rollout {
  /** The init container of a new pod. */
  readonly first: JobName | null;
  /** How long an old pod continues before SIGTERM, while it gets no new connections. */
  readonly preStopMs: number;
}

/** How a pod of a service is replaced according to its manifest in deploy/. */
export function rolloutOf(service: ServiceName): Rollout {
  const file = new URL(`../../../deploy/k8s/base/${service}.yaml`, import.meta.url);
  const deployment = parseAllDocuments(readFileSync(file, 'utf8'))[0]?.toJS();
  const { initContainers = [], containers } = deployment.spec.template.spec;
  const [, seconds = 0] = containers[0].lifecycle?.preStop.exec.command ?? [];
  return { first: initContainers[0]?.args[1] ?? null, preStopMs: Number(seconds) * 1_000 };
}

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
  const { first, preStopMs } = rolloutOf(old.name);
  if (first !== null) await environment.run(first);
  await environment.start(old.name);
  onLeaving();
  await environment.pause(preStopMs);
  const stoppedAt = machineNow();
  await environment.stop(old);
  return machineNow() - stoppedAt;
}
