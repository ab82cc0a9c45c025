import type { Backlog } from '@postrider/shared/ports/backlog';
import type { Clock } from '@postrider/shared/ports/clock';
import type { Log } from '@postrider/shared/ports/log';
import { type ParkingLot, UNKNOWN_WORKSPACE } from './parking.js';

/** Finds rows whose message was lost. */
export interface Reconciler {
  /** Parks assigned endpoints whose rows are overdue by more than `graceMs`, so that they are fed. */
  reconcile(graceMs: number): Promise<void>;
}

interface ReconcilerParts {
  readonly parking: Pick<ParkingLot, 'parkOverdue' | 'isParked' | 'isFull'>;
  readonly backlog: Pick<Backlog, 'overdueEndpoints' | 'workspacesOf'>;
  readonly clock: Clock;
  readonly isAssigned: (endpointId: string) => boolean;
  /** Called after endpoints were parked. */
  readonly onParked: () => void;
  readonly log: Log;
}

/** One pass at a time; a request during a pass starts another one after it. */
export function createReconciler(parts: ReconcilerParts): Reconciler {
  const { parking, backlog, clock, isAssigned, onParked, log } = parts;
  let current: Promise<void> | null = null;
  let requested: number | null = null;
  /** Parks endpoints under their workspaces, so that these take turns from the first query on. */
  const parkPage = async (endpointIds: readonly string[]): Promise<number> => {
    const lost = endpointIds.filter((endpointId) => isAssigned(endpointId) && !parking.isParked(endpointId));
    if (lost.length === 0) return 0;
    const workspaces = await backlog.workspacesOf(lost);
    for (const endpointId of lost)
      parking.parkOverdue({ endpointId, workspaceId: workspaces.get(endpointId) ?? UNKNOWN_WORKSPACE });
    onParked();
    return lost.length;
  };
  const pass = async (graceMs: number): Promise<void> => {
    const before = new Date(clock.now().getTime() - graceMs);
    let endpoints = 0;
    for await (const page of backlog.overdueEndpoints(before)) {
      endpoints += await parkPage(page);
      if (parking.isFull()) break;
    }
    if (endpoints > 0) log.info({ event: 'reconciled', endpoints }, 'overdue rows are fed directly');
  };
  const passes = async (): Promise<void> => {
    while (requested !== null) {
      const graceMs = requested;
      requested = null;
      await pass(graceMs);
    }
  };
  return {
    reconcile(graceMs) {
      requested = Math.min(requested ?? graceMs, graceMs);
      current ??= passes().finally(() => {
        current = null;
      });
      return current;
    },
  };
}
