interface Page {
  readonly items: readonly unknown[];
  readonly nextCursor: string | null;
}

/** A request examines at most 1,000 endpoints, and may find none of those that match. */
const MAX_REQUESTS = 10;

/**
 * The first endpoints that a search finds, as if one request had examined enough of them.
 *
 * @param most the number of endpoints that are enough
 */
export async function searchEndpoints<Answer extends Page>(
  most: number,
  fetchPage: (page: { readonly limit: number; readonly cursor?: string }) => Promise<Answer>,
): Promise<Answer> {
  let answer = await fetchPage({ limit: most });
  const items = [...answer.items];
  for (let requests = 1; requests < MAX_REQUESTS; requests++) {
    const { nextCursor: cursor } = answer;
    if (cursor === null || items.length >= most) break;
    answer = await fetchPage({ limit: most - items.length, cursor });
    items.push(...answer.items);
  }
  return { ...answer, items };
}
