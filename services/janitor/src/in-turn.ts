import type { CountedTask } from './record-runs.js';

/** Two tasks, of which the second begins once the first has ended, whether or not it succeeded. */
export function inTurn(first: CountedTask, second: CountedTask): readonly [CountedTask, CountedTask] {
  const ended = Promise.withResolvers<void>();
  return [
    { name: first.name, run: () => first.run().finally(ended.resolve) },
    { name: second.name, run: () => ended.promise.then(second.run) },
  ];
}
