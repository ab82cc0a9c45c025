/** Limits the bytes that the streams of a process have read and written and their clients have not taken yet. */
export interface WriteBudget {
  /**
   * Resolves once the bytes are reserved. Streams of a workspace are served in the order of their requests, workspaces in
   * turn. A request for more than the whole budget is served alone.
   */
  reserve(workspaceId: string, bytes: number): Promise<Reservation>;
}

export interface Reservation {
  /** Changes the reservation to what is needed now. 0 ends it; afterwards nothing changes. */
  resize(bytes: number): void;
}

interface WriteBudgetParts {
  readonly maxBytes: number;
  readonly maxBytesPerWorkspace: number;
  /** Bytes of the budget that are left for workspaces that have reserved nothing. */
  readonly bytesForOthers: number;
}

interface Waiter {
  readonly bytes: number;
  readonly serve: () => void;
}

/** The reservations of a workspace. */
interface Account {
  reserved: number;
  readonly waiting: Waiter[];
}

export function createWriteBudget({
  maxBytes,
  maxBytesPerWorkspace,
  bytesForOthers,
}: WriteBudgetParts): WriteBudget {
  /** In the order in which they were served, the last one at the end. */
  const accounts = new Map<string, Account>();
  let reserved = 0;

  const change = (account: Account, bytes: number) => {
    account.reserved += bytes;
    reserved += bytes;
  };
  /** Whether a workspace that has reserved something has to release some of it first, or others have to. */
  const mustWait = (account: Account, { bytes }: Waiter): boolean =>
    account.reserved > 0 &&
    (account.reserved + bytes > maxBytesPerWorkspace || reserved + bytes > maxBytes - bytesForOthers);
  /** Serves the next request that fits; false if there is none. */
  const serveNext = (): boolean => {
    for (const [workspaceId, account] of accounts) {
      const [next] = account.waiting;
      if (next === undefined) continue;
      if (mustWait(account, next)) continue;
      // No smaller request is served instead: large ones would wait for ever.
      if (reserved > 0 && reserved + next.bytes > maxBytes) return false;
      account.waiting.shift();
      accounts.delete(workspaceId);
      accounts.set(workspaceId, account);
      change(account, next.bytes);
      next.serve();
      return true;
    }
    return false;
  };
  const serveAll = () => {
    while (serveNext());
  };
  const reservationOf = (workspaceId: string, account: Account, first: number): Reservation => {
    let held = first;
    return {
      resize(bytes) {
        // The workspace may have another account by now.
        if (held === 0) return;
        change(account, bytes - held);
        held = bytes;
        serveAll();
        if (account.reserved === 0 && account.waiting.length === 0) accounts.delete(workspaceId);
      },
    };
  };

  return {
    reserve: (workspaceId, bytes) =>
      new Promise((resolve) => {
        const account = accounts.get(workspaceId) ?? { reserved: 0, waiting: [] };
        accounts.set(workspaceId, account);
        account.waiting.push({ bytes, serve: () => resolve(reservationOf(workspaceId, account, bytes)) });
        serveAll();
      }),
  };
}
