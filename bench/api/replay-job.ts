import type { Environment } from '../environment/environment.js';

/** A replay job as the api shows it. */
export interface ShownJob {
  readonly jobId: string;
  readonly status: string;
  readonly matched: number | null;
  readonly replayed: number;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
}

export interface JobsOf {
  readonly port: number;
  readonly slug: string;
  readonly token: string;
}

const POLL_MS = 250;

/** The replay jobs of a workspace, over REST. */
export function replayJobsOf({ port, slug, token }: JobsOf, { sleep }: Pick<Environment, 'sleep'>) {
  const path = `http://127.0.0.1:${port}/workspaces/${slug}/webhooks/replay-jobs`;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const read = async (url: string, init: RequestInit): Promise<ShownJob> => {
    const response = await fetch(url, { ...init, headers });
    if (!response.ok) throw new Error(`the api answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as ShownJob;
  };
  return {
    create: (body: object) => read(path, { method: 'POST', body: JSON.stringify(body) }),
    /** Polls a job until it has the expected state. */
    async until(jobId: string, isWanted: (job: ShownJob) => boolean): Promise<ShownJob> {
      for (;;) {
        const job = await read(`${path}/${jobId}`, {});
        if (isWanted(job)) return job;
        await sleep(POLL_MS);
      }
    },
  };
}
