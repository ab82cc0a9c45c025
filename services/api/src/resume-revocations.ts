import { SYSTEM } from '@postrider/shared/domain/audit-event';
import type { WorkspaceId } from '@postrider/shared/domain/id';
import type { Workspace } from '@postrider/shared/domain/workspace';
import type { Log } from '@postrider/shared/ports/log';
import { repeat } from '@postrider/shared/runtime/repeat';
import { newTraceId } from '@postrider/shared/runtime/trace';
import type { Deps } from './operations/deps.js';
import { revokeFamilies } from './operations/revoke-families.js';

interface ResumeParts {
  readonly deps: Pick<Deps, 'mutate' | 'clock' | 'newId'>;
  /** The first workspace after `after` with tokens whose families are still to be revoked; null if there is none. */
  readonly findPending: (after: WorkspaceId | null) => Promise<Workspace | null>;
  readonly everyMs: number;
  readonly log: Log;
}

/**
 * Continues the cascading revocations of crashed processes. A workspace is taken over only when the next search finds it again,
 * so that its own process can finish first. One that cannot be continued does not stop the others.
 */
export function startResumingRevocations({ deps, findPending, everyMs, log }: ResumeParts): { stop(): void } {
  let previous: ReadonlySet<WorkspaceId> = new Set();
  const resume = async (workspace: Workspace) => {
    await revokeFamilies(deps, { workspace, actor: SYSTEM, traceId: newTraceId(), source: null });
    const { id: workspaceId } = workspace;
    log.info({ event: 'tokens.revocation_resumed', workspaceId }, 'a revocation was completed');
  };
  const notResumed = (err: unknown) =>
    log.debug({ event: 'tokens.revocation_not_resumed', err }, 'revocations could not be continued');
  const search = async () => {
    const found = new Set<WorkspaceId>();
    for (let next = await findPending(null); next !== null; next = await findPending(next.id)) {
      found.add(next.id);
      if (previous.has(next.id)) await resume(next).catch(notResumed);
    }
    previous = found;
  };
  const searching = repeat({ task: search, pauseMs: () => everyMs, onError: notResumed });
  return { stop: () => void searching.stop() };
}
