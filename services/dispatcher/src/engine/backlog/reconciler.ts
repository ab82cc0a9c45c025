import type { Backlog } from '@postrider/shared/ports/backlog';
import type { Clock } from '@postrider/shared/ports/clock';
import type { Log } from '@postrider/shared/ports/log';
import { type ParkingLot, UNKNOWN_WORKSPACE } from '../jobs/parking.js';

/** Finds rows whose message was lost. */
export interface Reconciler {
  /** Parks assigned endpoints whose rows are overdue by more than `graceMs`, so that they are fed. */
  reconcileAll(graceMs: number): Promise<void>;
  /**
   * The same for the endpoints after the last ones that were examined, then for the first ones again. Ends when there are none to
   * park among many.
   */
  reconcileNext(graceMs: number): Promise<void>;
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

interface Request {
  readonly graceMs: number;
  readonly isForAll: boolean;
}

/** Number of overdue endpoints after which a pass over the next ones ends, unless some of them were parked. */
const NEXT_ENDPOINTS = 20_000;

/** One pass at a time; requests during a pass start another one after it. */
export function createReconciler(parts: ReconcilerParts): Reconciler {
  const { parking, backlog, clock, isAssigned, onParked, log } = parts;
  let current: Promise<void> | null = null;
  let requested: Request | null = null;
  /** The last endpoint that was examined; empty when the next pass starts with the first endpoint. */
  let position = '';
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
  /** Continues after `position`. @returns the number of parked endpoints */
  const parkOverdue = async (before: Date, limit: number): Promise<number> => {
    let parked = 0;
    let left = limit;
    for await (const page of backlog.overdueEndpoints(before, position)) {
      const added = await parkPage(page);
      parked += added;
      left = added > 0 ? limit : left - page.length;
      position = page.at(-1) ?? '';
      if (parking.isFull() || left <= 0) return parked;
    }
    position = '';
    return parked;
  };
  const pass = async ({ graceMs, isForAll }: Request): Promise<void> => {
    const before = new Date(clock.now().getTime() - graceMs);
    if (isForAll) position = '';
    const endpoints = await parkOverdue(before, isForAll ? Number.POSITIVE_INFINITY : NEXT_ENDPOINTS);
    if (endpoints > 0) log.info({ event: 'reconciled', endpoints }, 'overdue rows are fed directly');
  };
  const passes = async (): Promise<void> => {
    while (requested !== null) {
      const request: Request = requested;
      requested = null;
      try {
        await pass(request);
      } catch (error) {
        // The next request examines these endpoints as well.
        add(request);
        throw error;
      }
    }
  };
  const add = (wanted: Request) => {
    requested = {
      graceMs: Math.min(requested?.graceMs ?? wanted.graceMs, wanted.graceMs),
      isForAll: wanted.isForAll || (requested?.isForAll ?? false),
    };
  };
  const request = (wanted: Request): Promise<void> => {
    add(wanted);
    current ??= passes().finally(() => {
      current = null;
    });
    return current;
  };
  return {
    reconcileAll: (graceMs) => request({ graceMs, isForAll: true }),
    reconcileNext: (graceMs) => request({ graceMs, isForAll: false }),
  };
}
