import { nextTurn } from '@postrider/shared/runtime/turns';

interface RoundParts<Item, Result> {
  /**
   * Handles items together. The round ends when it returns, even if its answers are still pending.
   *
   * @returns an answer for each item, in order; rejects if none of them can be handled
   */
  readonly handle: (items: readonly Item[]) => Promise<readonly Promise<Result>[]>;
  /** Maximum number of rounds at the same time. */
  readonly concurrency: number;
  readonly maxItems: number;
  /** An item that has waited longer than this, in milliseconds, is not handled: its caller has given up. */
  readonly maxWaitMs: number;
  /** The error of such an item. */
  readonly tooLate: () => Error;
  readonly monotonicMs: () => number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly since: number;
  readonly resolve: (answer: Result | Promise<Result>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Handles the items of concurrent callers in shared rounds. A round starts as soon as one may, with the items that have
 * arrived by then: a lone item is handled at once, and the more callers there are, the more items share a round.
 */
export function shareRounds<Item, Result>({
  handle,
  concurrency,
  maxItems,
  maxWaitMs,
  tooLate,
  monotonicMs,
}: RoundParts<Item, Result>): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let running = 0;

  /** Removes the items of the next round, and those that have waited too long. */
  const take = () => {
    while (waiting[0] !== undefined && monotonicMs() - waiting[0].since > maxWaitMs)
      waiting.shift()?.reject(tooLate());
    return waiting.splice(0, maxItems);
  };
  const runRound = async () => {
    const round = take();
    if (round.length === 0) return;
    try {
      const answers = await handle(round.map(({ item }) => item));
      for (const [index, { resolve, reject }] of round.entries()) {
        const answer = answers[index];
        if (answer === undefined) reject(new Error('an item of a round has no answer'));
        else resolve(answer);
      }
    } catch (error) {
      for (const { reject } of round) reject(error);
    }
  };
  const run = async () => {
    // Items that are added in the same turn of the event loop share the round.
    await nextTurn();
    while (waiting.length > 0) await runRound();
    running -= 1;
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, since: monotonicMs(), resolve, reject });
      if (running === concurrency) return;
      running += 1;
      void run();
    });
}
