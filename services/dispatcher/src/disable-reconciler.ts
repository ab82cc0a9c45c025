import type { Backlog } from '@postrider/shared/ports/backlog';
import { isSwitchedOff } from '@postrider/shared/runtime/failpoints';

/** Disables the reconciler, which recovers the work of lost messages, if the switch `rows.reconcile` is off. */
export function disableReconciler(specs: readonly string[], rows: Backlog): Backlog {
  return isSwitchedOff(specs, 'rows.reconcile') ? { ...rows, overdueEndpoints: noPages } : rows;
}

async function* noPages(): AsyncGenerator<readonly string[]> {}
