import type { Account } from '../load/account.js';
import type { Trial } from '../trial.js';

/** One result for the table. */
export interface Result {
  readonly what: string;
  readonly seconds: number;
  readonly account: Account | null;
  /** Why it failed; empty if it did not. */
  readonly problems: readonly string[];
}

/** Runs and records the parts of a story. */
export interface Story {
  /** Records an action that must succeed. @throws Error if it fails: what follows depends on it */
  part<T>(what: string, action: () => Promise<T>): Promise<T>;
  record(result: Result): void;
}

export interface Step {
  readonly name: string;
  readonly about: string;
  run(trial: Trial, story: Story): Promise<void>;
}

export function createStory(report: (line: string) => void): Story & { readonly results: readonly Result[] } {
  const results: Result[] = [];
  const record = (result: Result) => {
    results.push(result);
    report(`${result.problems.length === 0 ? '✓' : '✗'} ${describe(result)}`);
  };
  return {
    results,
    record,
    async part(what, action) {
      const startedAt = performance.now();
      const end = (problems: readonly string[]) =>
        record({ what, seconds: (performance.now() - startedAt) / 1_000, account: null, problems });
      try {
        const result = await action();
        end([]);
        return result;
      } catch (error) {
        end([(error as Error).message]);
        throw error;
      }
    },
  };
}

function describe({ what, seconds, account, problems }: Result): string {
  const counts =
    account === null
      ? ''
      : `: ${account.calls} calls accepted, ${account.accepted} deliveries, ${account.lost} lost, ${account.repeated} repeated, ${account.reset} calls reset, ${account.late} late, ${account.refused} refused`;
  return [`${what}${counts} (${seconds.toFixed(1)} s)`, ...problems].join('\n    ');
}
