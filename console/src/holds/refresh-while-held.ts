import type { SendingHold } from './sending-holds.js';

/** How often the reasons why sending is held are read again while they are shown, in milliseconds. */
const REFRESH_MS = 10_000;

/** The refetch interval of an answer with these reasons. Without any, it is not read again. */
export function refreshWhileHeld(holds: readonly SendingHold[] | undefined): number | false {
  return holds !== undefined && holds.length > 0 ? REFRESH_MS : false;
}
