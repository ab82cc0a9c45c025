interface FirstItems<T> {
  readonly first: AsyncIterable<T>;
  /** Known once the first items were read; false if it is not asked for. */
  readonly hasOthers: () => boolean;
}

/** The first items of a list as they arrive. It reads one more only if it is asked whether there are others. */
export function firstOf<T>(
  items: AsyncIterable<T>,
  limit: number,
  { asksForOthers }: { readonly asksForOthers: boolean },
): FirstItems<T> {
  let hasOthers = false;
  const read = async function* () {
    let count = 0;
    for await (const item of items) {
      hasOthers = count === limit;
      if (hasOthers) return;
      count += 1;
      yield item;
      if (count === limit && !asksForOthers) return;
    }
  };
  return { first: read(), hasOthers: () => hasOthers };
}
