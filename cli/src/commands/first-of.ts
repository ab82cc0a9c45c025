/** The first items of a list as they arrive, and whether there are others, which is known once these were read. */
export function firstOf<T>(items: AsyncIterable<T>, limit: number) {
  let hasOthers = false;
  const read = async function* () {
    let count = 0;
    for await (const item of items) {
      hasOthers = count === limit;
      if (hasOthers) return;
      count += 1;
      yield item;
    }
  };
  return { first: read(), hasOthers: () => hasOthers };
}
