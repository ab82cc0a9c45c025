import type { Offer } from './endpoint-of-url.js';

interface Page {
  readonly items: Offer['items'];
  readonly nextCursor: string | null;
}

const MAX_OFFERED = 20;
/** A request examines at most 1,000 endpoints, and may find none of those that match. */
const MAX_REQUESTS = 10;

/** The first endpoints that a search finds. */
export async function searchEndpoints(
  fetchPage: (page: { readonly limit: number; readonly cursor?: string }) => Promise<Page>,
): Promise<Offer> {
  const items: Offer['items'][number][] = [];
  let cursor: string | null = null;
  for (let requests = 0; requests < MAX_REQUESTS; requests++) {
    const limit = MAX_OFFERED - items.length;
    const page: Page = await fetchPage({ limit, ...(cursor !== null && { cursor }) });
    items.push(...page.items);
    cursor = page.nextCursor;
    if (cursor === null || items.length >= MAX_OFFERED) break;
  }
  return { items, hasMore: cursor !== null };
}
