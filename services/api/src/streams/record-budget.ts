/** Records that workspaces may make a process read again. */
export interface RecordBudget {
  /** Takes the records if the workspace has so many left. */
  take(workspaceId: string, records: number): boolean;
}

interface RecordBudgetParts {
  /** The most that a workspace has. */
  readonly most: number;
  /** What a workspace gets back. */
  readonly perSecond: number;
  readonly monotonicMs: () => number;
}

interface Account {
  readonly left: number;
  readonly atMs: number;
}

export function createRecordBudget({ most, perSecond, monotonicMs }: RecordBudgetParts): RecordBudget {
  /** Of workspaces that do not have everything. */
  const accounts = new Map<string, Account>();
  const leftOf = ({ left, atMs }: Account) =>
    Math.min(most, left + ((monotonicMs() - atMs) * perSecond) / 1_000);
  return {
    take(workspaceId, records) {
      for (const [id, account] of accounts) if (leftOf(account) === most) accounts.delete(id);
      const account = accounts.get(workspaceId);
      const left = (account === undefined ? most : leftOf(account)) - records;
      if (left < 0) return false;
      accounts.set(workspaceId, { left, atMs: monotonicMs() });
      return true;
    },
  };
}
