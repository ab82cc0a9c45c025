/** One page of a list. */
export interface Page<Item> {
  items: Item[];
  /** Give it back as `cursor` to read on; null on the last page. */
  nextCursor: string | null;
}

/** How the items of a list are asked for; the same for every list. */
export interface PageRequest {
  /** Clamped into 1 to 200; 50 when it is left out. */
  limit?: number | undefined;
  cursor?: string | undefined;
}
