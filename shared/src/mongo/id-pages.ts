/** Yields the identifiers of found documents in lists of `size`, the last of which may be shorter. */
export async function* idPages(
  found: AsyncIterable<{ readonly _id: string }>,
  size: number,
): AsyncGenerator<readonly string[]> {
  let page: string[] = [];
  for await (const { _id } of found) {
    page.push(_id);
    if (page.length < size) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}
