/** One page of a list. */
export interface Page<Item> {
  items: Item[];
  /** Pass it as `cursor` to get the next page; null on the last page. */
  nextCursor: string | null;
}

/** The parameters of every list. */
export interface PageRequest {
  /** Clamped to 1 to 200; 50 by default. */
  limit?: number | undefined;
  cursor?: string | undefined;
}
