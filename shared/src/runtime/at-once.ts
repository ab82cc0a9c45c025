/**
 * Handles items with several workers at the same time, each item by one of them. After a failure no further item begins.
 *
 * @throws what the first failing item threw, once all workers have stopped
 */
export async function atOnce<Item>(
  items: Iterable<Item> | AsyncGenerator<Item>,
  workers: number,
  handle: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = Symbol.asyncIterator in items ? items : items[Symbol.iterator]();
  const failures: unknown[] = [];
  const work = async () => {
    try {
      while (failures.length === 0) {
        const next = await queue.next();
        if (next.done === true || failures.length > 0) return;
        await handle(next.value);
      }
    } catch (error) {
      failures.push(error);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  if (failures.length > 0) throw failures[0];
}
