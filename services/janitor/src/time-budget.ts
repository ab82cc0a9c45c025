import type { Clock } from '@postrider/shared/ports/clock';

interface BudgetParts {
  readonly clock: Clock;
  readonly budgetMs: number;
}

/** Begins now. @returns whether a task still has time */
export function createTimeBudget({ clock, budgetMs }: BudgetParts): () => boolean {
  const startedMs = clock.now().getTime();
  return () => clock.now().getTime() - startedMs <= budgetMs;
}
