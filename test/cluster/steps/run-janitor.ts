import type { Kubectl } from '../tools.js';

/** Starts a job of the janitor's CronJob, and waits until it has succeeded. */
export async function runJanitor(kubectl: Kubectl): Promise<void> {
  await kubectl('create', 'job', 'janitor-now', '--from=cronjob/postrider-janitor');
  await kubectl('wait', '--for=condition=Complete', 'job/janitor-now', '--timeout=120s');
}
