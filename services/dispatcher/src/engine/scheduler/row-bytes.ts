import type { PoolLimits } from './pool-limits.js';
import { SLOT_KINDS, type SlotKind } from './pools.js';

/** The rows of a workspace's POSTs. */
export interface RowUsage {
  /** Their size, in bytes: expected until they are read. */
  bytes: number;
  /** The expected size of its next row. */
  expectedBytes: number;
}

/**
 * Limits the memory for the rows of POSTs, from when their jobs get a slot until they end. A workspace may use as much as is
 * still free, so a lone one uses half. As much again is reserved for workspaces that use little: large rows of some whose
 * endpoints do not answer stop no others. Part of the reserve is only for proven endpoints: many workspaces may use little each.
 * Slots of each kind have a share besides, which those of other kinds cannot use: neither large rows of many proven endpoints nor
 * those of endpoints that have fallen silent stop the others.
 */
export interface RowBytes {
  /** Whether a workspace that uses little may add another row for a slot of this kind. */
  hasRoom(kind: SlotKind): boolean;
  /** Whether the workspace may add another row for a slot of this kind, however large it is. */
  admits(kind: SlotKind, usage: Readonly<RowUsage>): boolean;
  /** @returns the size that is expected and counted until the row is read */
  expect(kind: SlotKind, usage: RowUsage): number;
  /** Counts the size of a row that was read instead of the expected one. @returns false if there is no room; then it counts nothing */
  replace(
    kind: SlotKind,
    usage: RowUsage,
    row: { readonly expected: number; readonly actual: number },
  ): boolean;
  /** The slot of a row has changed its kind. */
  move(bytes: number, kinds: { readonly from: SlotKind; readonly to: SlotKind }): void;
  free(kind: SlotKind, usage: RowUsage, bytes: number): void;
  /** The size of all rows, in bytes. */
  total(): number;
}

/** What a workspace may use of the reserve, in bytes. */
const LITTLE_BYTES = 64 * 1_024;
/** The fraction of the reserve that slots of each kind may use: endpoints that do not answer keep their rows longest. */
const RESERVE = { proven: 1, new: 3 / 4, suspect: 1 / 2, lingering: 1 / 2 } as const;
/** The fraction of the limit that each kind has for itself, beyond limit and reserve. */
const OWN = 1 / 8;
/** Assumed size before a row of the workspace was read. */
const UNKNOWN_BYTES = 8 * 1_024;
/** By which fraction each smaller row lowers the expected size. */
const DECAY = 1 / 16;

export const noRows = (): RowUsage => ({ bytes: 0, expectedBytes: UNKNOWN_BYTES });

export function createRowBytes({ bytes: limit }: Pick<PoolLimits, 'bytes'>): RowBytes {
  const used = { proven: 0, new: 0, suspect: 0, lingering: 0 };
  let total = 0;
  const count = (kind: SlotKind, usage: RowUsage, bytes: number) => {
    usage.bytes += bytes;
    used[kind] += bytes;
    total += bytes;
  };
  const mostBytes = limit * (2 + OWN * SLOT_KINDS.length);
  const hasRoom = (kind: SlotKind) =>
    total < limit * (1 + RESERVE[kind]) || (used[kind] < limit * OWN && total < mostBytes);
  const admits = (kind: SlotKind, { bytes }: Readonly<RowUsage>) =>
    bytes < limit - total || (bytes < LITTLE_BYTES && hasRoom(kind));
  return {
    hasRoom,
    admits,
    expect(kind, usage) {
      count(kind, usage, usage.expectedBytes);
      return usage.expectedBytes;
    },
    replace(kind, usage, { expected, actual }) {
      usage.expectedBytes = Math.max(actual, Math.ceil(usage.expectedBytes * (1 - DECAY)));
      count(kind, usage, -expected);
      // Others may have taken the room since, but what was expected was admitted.
      if (actual > expected && !admits(kind, usage)) return false;
      count(kind, usage, actual);
      return true;
    },
    move(bytes, { from, to }) {
      used[from] -= bytes;
      used[to] += bytes;
    },
    free: (kind, usage, bytes) => count(kind, usage, -bytes),
    total: () => total,
  };
}
