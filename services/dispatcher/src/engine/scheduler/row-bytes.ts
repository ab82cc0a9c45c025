import type { PoolLimits } from './pool-limits.js';
import type { SlotKind } from './pools.js';

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
 */
export interface RowBytes {
  /** Whether a workspace that uses little may add another row for a slot of this kind. */
  hasRoom(kind: SlotKind): boolean;
  /** Whether the workspace may add another row for a slot of this kind, however large it is. */
  admits(kind: SlotKind, usage: Readonly<RowUsage>): boolean;
  /** @returns the size that is expected and counted until the row is read */
  expect(usage: RowUsage): number;
  /** Counts the size of a row that was read instead of the expected one. @returns false if there is no room; then it counts nothing */
  replace(
    kind: SlotKind,
    usage: RowUsage,
    row: { readonly expected: number; readonly actual: number },
  ): boolean;
  free(usage: RowUsage, bytes: number): void;
  /** The size of all rows, in bytes. */
  total(): number;
}

/** What a workspace may use of the reserve, in bytes. */
const LITTLE_BYTES = 64 * 1_024;
/** The fraction of the reserve that slots of each kind may use: endpoints that do not answer keep their rows longest. */
const RESERVE = { proven: 1, new: 3 / 4, suspect: 1 / 2, lingering: 1 / 2 } as const;
/** Assumed size before a row of the workspace was read. */
const UNKNOWN_BYTES = 8 * 1_024;
/** By which fraction each smaller row lowers the expected size. */
const DECAY = 1 / 16;

export const noRows = (): RowUsage => ({ bytes: 0, expectedBytes: UNKNOWN_BYTES });

export function createRowBytes({ bytes: limit }: Pick<PoolLimits, 'bytes'>): RowBytes {
  let total = 0;
  const count = (usage: RowUsage, bytes: number) => {
    usage.bytes += bytes;
    total += bytes;
  };
  const hasRoom = (kind: SlotKind) => total < limit * (1 + RESERVE[kind]);
  const admits = (kind: SlotKind, { bytes }: Readonly<RowUsage>) =>
    bytes < limit - total || (bytes < LITTLE_BYTES && hasRoom(kind));
  return {
    hasRoom,
    admits,
    expect(usage) {
      count(usage, usage.expectedBytes);
      return usage.expectedBytes;
    },
    replace(kind, usage, { expected, actual }) {
      usage.expectedBytes = Math.max(actual, Math.ceil(usage.expectedBytes * (1 - DECAY)));
      count(usage, -expected);
      if (!admits(kind, usage)) return false;
      count(usage, actual);
      return true;
    },
    free: (usage, bytes) => count(usage, -bytes),
    total: () => total,
  };
}
