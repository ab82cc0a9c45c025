import { doublingPauseMs } from '../runtime/doubling-pause.js';
import { repeat } from '../runtime/repeat.js';
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
  const pause = { firstMs: firstPauseMs, longestMs: LONGEST_PAUSE_MS };
  let pauses = 0;
  let hasEnded = false;
  const watching = repeat({
    async task() {
      const builds = await readIndexBuilds(database);
      if (!hasEnded && builds.length > 0) show(builds);
    },
    pauseMs() {
      pauses += 1;
      return doublingPauseMs(pauses, pause);
    },
    // The next run may succeed.
    onError: () => {},
  });
  try {
    return await work();
  } finally {
    hasEnded = true;
    void watching.stop();
  }
}
