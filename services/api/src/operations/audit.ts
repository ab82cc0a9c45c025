import type { AuditAction, AuditEvent, TargetType } from '@postrider/shared/domain/audit-event';
import type { StreakChange } from '@postrider/shared/domain/delivery';
import type { AuditContext } from './call.js';
import type { Deps } from './deps.js';

interface Audited {
  readonly action: AuditAction;
  readonly target: { readonly type: TargetType; readonly id: string };
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly at: Date;
  readonly streak?: StreakChange | null;
}

/** The audit entry of what a call did. */
export function audited(
  { workspace, actor }: Pick<AuditContext, 'workspace' | 'actor'>,
  newId: Deps['newId'],
  { streak = null, ...facts }: Audited,
): AuditEvent {
  const { at, ...rest } = facts;
  return {
    ...rest,
    id: newId('audit', at),
    workspaceId: workspace.id,
    actor,
    createdAt: at,
    streak,
  };
}
