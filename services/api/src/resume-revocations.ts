import { SYSTEM } from '@postrider/shared/domain/audit-event';
import type { Workspace } from '@postrider/shared/domain/workspace';
import type { Log } from '@postrider/shared/ports/log';
import { newTraceId } from '@postrider/shared/runtime/trace';
import type { Deps } from './operations/deps.js';
import { revokeFamilies } from './operations/revoke-families.js';

interface ResumeParts {
  readonly deps: Pick<Deps, 'mutate' | 'clock' | 'newId'>;
  /** A workspace with tokens whose families are still to be revoked; null without one. */
  readonly findPending: () => Promise<Workspace | null>;
  readonly everyMs: number;
  readonly log: Log;
}

/**
 * Continues the cascading revocations of crashed processes. A workspace is left to its own process at first: it is taken
 * over when the next search finds it again.
 */
export function startResumingRevocations({ deps, findPending, everyMs, log }: ResumeParts): { stop(): void } {
  let previous: string | null = null;
  const search = async () => {
    const workspace = await findPending();
    const isAbandoned = workspace !== null && workspace.id === previous;
    previous = workspace?.id ?? null;
    if (!isAbandoned) return;
    await revokeFamilies(deps, { workspace, actor: SYSTEM, traceId: newTraceId(), source: null });
    log.info({ event: 'tokens.revocation_resumed', workspaceId: workspace.id }, 'a revocation was completed');
  };
  const timer = setInterval(() => {
    search().catch((err: unknown) =>
      log.debug({ event: 'tokens.revocation_not_resumed', err }, 'revocations could not be continued'),
    );
  }, everyMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
