/** Handles items as they arrive, at most `limit` concurrently. At the limit, it reads no further items. */
export async function inParallel<T>(
  items: AsyncIterable<T>,
  limit: number,
  handle: (item: T) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>();
  for await (const item of items) {
    const handled: Promise<void> = handle(item).finally(() => running.delete(handled));
    running.add(handled);
    if (running.size >= limit) await Promise.race(running);
  }
  await Promise.all(running);
}
