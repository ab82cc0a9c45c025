const PREFIX = '#token=';

/**
 * Takes the token of a portal link out of the address bar and the history, so that it is neither shared nor kept by
 * the browser.
 *
 * @returns null when the page was not opened by a portal link
 */
export function takePortalToken(location: Location, history: History): string | null {
  if (!location.hash.startsWith(PREFIX)) return null;
  const text = location.hash.slice(PREFIX.length);
  history.replaceState(null, '', `${location.pathname}${location.search}`);
  return decoded(text);
}

/** Text that cannot be decoded is no token: it stays as it is, and the api refuses it. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Takes the token of each portal link that is opened in the loaded page, which only changes the fragment of its address.
 *
 * @returns ends it
 */
export function watchPortalLinks(
  { location, history }: Window,
  onToken: (token: string) => void,
): () => void {
  const take = () => {
    const token = takePortalToken(location, history);
    if (token !== null) onToken(token);
  };
  // Before the router, which listens to `popstate` and shows what the address then has.
  const options = { capture: true };
  const events = ['popstate', 'hashchange'] as const;
  for (const event of events) addEventListener(event, take, options);
  return () => {
    for (const event of events) removeEventListener(event, take, options);
  };
}
