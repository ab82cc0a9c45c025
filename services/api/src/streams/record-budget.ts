/** Records that workspaces may make a process read again. */
export interface RecordBudget {
  /** Takes the records if the workspace has that many left. */
  take(workspaceId: string, records: number): boolean;
}

interface RecordBudgetParts {
  /** The maximum that a workspace may save up, in records. */
  readonly most: number;
  /** How many records a workspace gets back per second. */
  readonly perSecond: number;
  readonly monotonicMs: () => number;
}

interface Account {
  readonly left: number;
  readonly atMs: number;
}

export function createRecordBudget({ most, perSecond, monotonicMs }: RecordBudgetParts): RecordBudget {
  /** The workspaces whose budgets are not full. */
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
