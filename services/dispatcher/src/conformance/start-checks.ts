import type { ConformanceCheck } from '@postrider/shared/domain/conformance-check';
import type { ConformanceCheckStore } from '@postrider/shared/ports/conformance-checks';
import type { Log } from '@postrider/shared/ports/log';
import { waitAtMost } from '@postrider/shared/runtime/with-timeout';

interface ChecksParts {
  readonly store: Pick<ConformanceCheckStore, 'claim' | 'release'>;
  /** Null if another process has the lease. */
  readonly run: (check: ConformanceCheck, isStopped: () => boolean) => Promise<ConformanceCheck | null>;
  readonly pollEveryMs: number;
  readonly sleep: (ms: number) => Promise<unknown>;
  readonly log: Log;
}

export interface RunningChecks {
  /** Gives up the leases, within `withinMs`: other processes continue with the checks. */
  stop(withinMs: number): Promise<void>;
}

/** Maximum number of checks that one process runs at the same time, in total and for one workspace. */
const MAX_CHECKS = 20;
const MAX_OF_WORKSPACE = 5;

/** Looks for conformance checks that no process runs, and runs several at the same time. */
export function startChecks({ store, run, pollEveryMs, sleep, log }: ChecksParts): RunningChecks {
  const running = new Set<ConformanceCheck>();
  let isStopped = false;
  let taking: Promise<void> = Promise.resolve();

  const start = async (check: ConformanceCheck): Promise<void> => {
    running.add(check);
    try {
      const ended = await run(check, () => isStopped);
      if (ended !== null) {
        const { id: checkId, endpointId, workspaceId, status } = ended;
        const facts = { event: 'conformance.checked', checkId, endpointId, workspaceId, status };
        log.info(facts, 'a conformance check ended');
      }
    } catch (error) {
      if (isStopped) return;
      const facts = { event: 'conformance.left', checkId: check.id, err: error };
      log.warn(facts, 'a conformance check was left to the next process that takes its lease');
    } finally {
      running.delete(check);
    }
  };
  const takeChecks = async (): Promise<void> => {
    while (running.size < MAX_CHECKS && !isStopped) {
      const check = await store.claim(busyWorkspaces(running));
      if (check === null) return;
      if (isStopped) await store.release(check);
      else void start(check);
    }
  };
  const poll = async (): Promise<void> => {
    while (!isStopped) {
      taking = takeChecks();
      await taking.catch((error) => {
        if (isStopped) return;
        log.warn(
          { event: 'conformance.poll_failed', err: error },
          'conformance checks could not be read; the next poll reads them',
        );
      });
      await sleep(pollEveryMs);
    }
  };
  void poll();
  return {
    async stop(withinMs) {
      isStopped = true;
      const released = Promise.allSettled([taking, ...[...running].map((check) => store.release(check))]);
      await waitAtMost(released, withinMs);
    },
  };
}

function busyWorkspaces(running: ReadonlySet<ConformanceCheck>): readonly string[] {
  const counts = new Map<string, number>();
  for (const { workspaceId } of running) counts.set(workspaceId, (counts.get(workspaceId) ?? 0) + 1);
  return [...counts].filter(([, count]) => count >= MAX_OF_WORKSPACE).map(([workspaceId]) => workspaceId);
}
