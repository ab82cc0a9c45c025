import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import type { ServiceName, ServiceProcess } from '#dev/processes/start-service';
import { machineNow } from '../measure/clock.js';
import type { JobName } from '../processes/service.js';
import type { Environment } from './environment.js';

/** The init container of a new pod, and how long an old one continues before SIGTERM, without new connections. */
function rolloutOf(service: ServiceName): { readonly migration?: JobName; readonly preStopSeconds: number } {
  const file = new URL(`../../../deploy/k8s/base/${service}.yaml`, import.meta.url);
  const deployment = parseAllDocuments(readFileSync(file, 'utf8'))[0]?.toJS();
  const { initContainers = [], containers } = deployment.spec.template.spec;
  const [, seconds = 0] = containers[0].lifecycle?.preStop.exec.command ?? [];
  return { migration: initContainers[0]?.args[1], preStopSeconds: Number(seconds) };
}

/**
 * Replaces a process as Kubernetes does according to deploy/: the new one is ready before the old one is stopped.
 *
 * @param onLeaving called when the old process no longer gets new connections
 * @returns how long the old process took from SIGTERM to its exit, in milliseconds
 * @throws Error if it does not exit cleanly
 */
export async function replaceProcess(
  environment: Pick<Environment, 'run' | 'start' | 'sleep' | 'stop'>,
  old: ServiceProcess,
  onLeaving: () => void,
): Promise<number> {
  const { migration, preStopSeconds } = rolloutOf(old.name);
  if (migration !== undefined) await environment.run(migration);
  await environment.start(old.name);
  onLeaving();
  await environment.sleep(preStopSeconds * 1_000);
  const stoppedAt = machineNow();
  await environment.stop(old);
  return machineNow() - stoppedAt;
}
