interface BudgetParts {
  /** A clock that never steps, in milliseconds: the database's may be corrected during a run. */
  readonly monotonicMs: () => number;
  readonly budgetMs: number;
}

/** Begins now. @returns whether a task still has time */
export function createTimeBudget({ monotonicMs, budgetMs }: BudgetParts): () => boolean {
  const startedMs = monotonicMs();
  return () => monotonicMs() - startedMs <= budgetMs;
}
