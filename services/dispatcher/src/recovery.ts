import type { Backlog } from '@postrider/shared/ports/backlog';
import { isSwitchedOff } from '@postrider/shared/runtime/failpoints';

/** The backlog as the engine sees it: with healing switched off, rows whose messages were lost stay behind. */
export function recoveryFrom(specs: readonly string[], rows: Backlog): Backlog {
  return isSwitchedOff(specs, 'rows.reconcile') ? { ...rows, overdueEndpoints: async () => [] } : rows;
}
