/** The endpoints that have what was typed. */
export interface Offer {
  readonly items: readonly { readonly id: string; readonly url: string }[];
  /** Null if there are no others. */
  readonly nextCursor: string | null;
}

/**
 * The id of the only endpoint with a URL.
 *
 * @param isTyping while it may become a longer URL, no endpoint is meant
 */
export function endpointOfUrl(
  url: string,
  { items, nextCursor }: Offer,
  { isTyping }: { readonly isTyping: boolean },
): string | undefined {
  const exact = items.filter((offered) => offered.url === url);
  const mayContinue =
    nextCursor !== null || items.some((offered) => offered.url !== url && offered.url.startsWith(url));
  return exact.length === 1 && !(isTyping && mayContinue) ? exact[0]?.id : undefined;
}
