import type { BillingPlan } from '../contract/workspace.js';
import { Refusal } from '../domain/refusal.js';
import { noChange } from '../ports/unit-of-work.js';
import type { Call } from './call.js';
import { changeRecords } from './change-records.js';
import type { Deps } from './deps.js';

/** Changes the plan of a workspace. Setting the current plan writes no event and no audit entry. */
export function changePlan({ mutate, clock, newId }: Pick<Deps, 'mutate' | 'clock' | 'newId'>) {
  return (call: Call, { plan }: BillingPlan): Promise<BillingPlan> =>
    mutate(call, async (tx) => {
      const at = clock.now();
      const workspace = await tx.workspaces.find(call.workspace.id);
      if (workspace === null) throw new Refusal('WorkspaceNotFound', 'The workspace no longer exists.');
      if (workspace.plan === plan) return noChange({ plan });
      await tx.workspaces.save({ ...workspace, plan });
      const own = { previousPlan: workspace.plan, plan };
      const records = changeRecords(call, newId, {
        type: 'billing.plan_changed',
        target: { type: 'workspace', id: workspace.id },
        metadata: own,
        own,
        at,
      });
      return { result: { plan }, ...records };
    });
}
