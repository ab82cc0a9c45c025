import type { Backlog } from '@postrider/shared/ports/backlog';
import type { Clock } from '@postrider/shared/ports/clock';
import type { Log } from '@postrider/shared/ports/log';
import { type ParkingLot, UNKNOWN_WORKSPACE } from './parking.js';

/** Finds rows whose message was lost. */
export interface Reconciler {
  /** Parks assigned endpoints whose rows are overdue by more than `graceMs`, so that they are fed. */
  reconcileAll(graceMs: number): Promise<void>;
  /** The same for a limited number of overdue endpoints: those behind the last ones, then the first ones again. */
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

/** Number of overdue endpoints after which a pass over the next ones ends. */
const NEXT_ENDPOINTS = 20_000;

/** One pass at a time; requests during a pass start another one after it. */
export function createReconciler(parts: ReconcilerParts): Reconciler {
  const { parking, backlog, clock, isAssigned, onParked, log } = parts;
  let current: Promise<void> | null = null;
  let requested: Request | null = null;
  /** The last endpoint of the pass over the next ones; empty when the next pass starts with the first endpoint. */
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
  /** @returns the number of parked endpoints, and the last endpoint that was read if there may be more */
  const parkBehind = async (before: Date, after: string, limit: number) => {
    let parked = 0;
    let read = 0;
    for await (const page of backlog.overdueEndpoints(before, after)) {
      parked += await parkPage(page);
      read += page.length;
      if (parking.isFull() || read >= limit) return { parked, last: page.at(-1) ?? '' };
    }
    return { parked, last: '' };
  };
  const pass = async ({ graceMs, isForAll }: Request): Promise<void> => {
    const before = new Date(clock.now().getTime() - graceMs);
    const found = isForAll
      ? await parkBehind(before, '', Number.POSITIVE_INFINITY)
      : await parkBehind(before, position, NEXT_ENDPOINTS);
    if (!isForAll) position = found.last;
    const { parked: endpoints } = found;
    if (endpoints > 0) log.info({ event: 'reconciled', endpoints }, 'overdue rows are fed directly');
  };
  const passes = async (): Promise<void> => {
    while (requested !== null) {
      const request: Request = requested;
      requested = null;
      await pass(request);
    }
  };
  const request = (wanted: Request): Promise<void> => {
    requested = {
      graceMs: Math.min(requested?.graceMs ?? wanted.graceMs, wanted.graceMs),
      isForAll: wanted.isForAll || (requested?.isForAll ?? false),
    };
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
