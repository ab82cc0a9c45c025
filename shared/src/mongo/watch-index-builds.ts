import type { Database } from './connect.js';
import { type IndexBuild, readIndexBuilds } from './index-builds.js';

export type ShowIndexBuilds = (builds: readonly IndexBuild[]) => void;

/** What takes less time is not shown. The pauses double, because a build may take an hour, and a log keeps each line. */
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;

interface Watching {
  readonly show: ShowIndexBuilds;
  readonly firstPauseMs?: number;
}

/** Does the work, and shows the index builds that it waits for. What fails in reading or showing them does not concern the work. */
export async function watchIndexBuilds<Result>(
  database: Pick<Database, 'client' | 'db' | 'collections'>,
  { show, firstPauseMs = FIRST_PAUSE_MS }: Watching,
  work: () => Promise<Result>,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  let hasEnded = false;
  const plan = (pauseMs: number) => {
    timer = setTimeout(() => void showOnce().finally(() => continueAfter(pauseMs)), pauseMs);
  };
  const showOnce = async () => {
    try {
      const builds = await readIndexBuilds(database);
      if (!hasEnded && builds.length > 0) show(builds);
    } catch {
      // The next turn may succeed.
    }
  };
  const continueAfter = (pauseMs: number) => {
    if (!hasEnded) plan(Math.min(2 * pauseMs, LONGEST_PAUSE_MS));
  };
  plan(firstPauseMs);
  try {
    return await work();
  } finally {
    hasEnded = true;
    clearTimeout(timer);
  }
}
