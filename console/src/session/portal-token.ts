const PREFIX = '#token=';

/**
 * Takes the token of a portal link out of the address bar and the history, so that it is neither shared nor kept by
 * the browser.
 *
 * @param address replaces that of the link
 * @returns null when the page was not opened by a portal link
 */
export function takePortalToken(
  location: Location,
  history: Pick<History, 'replaceState'>,
  address = `${location.pathname}${location.search}`,
): string | null {
  if (!location.hash.startsWith(PREFIX)) return null;
  const text = location.hash.slice(PREFIX.length);
  history.replaceState(null, '', address);
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
 * Takes the token of each portal link that is opened in the loaded page, which only changes the fragment of its address. The
 * page that is shown keeps its address until the link is shown. Must be called before the router is created: the listeners of
 * a window are called in their order, and the router would leave the page at once, without a question.
 *
 * @returns passes each token to a function, until the returned function is called
 */
export function watchPortalLinks({
  location,
}: Pick<Window, 'location'>): (onToken: (token: string) => void) => () => void {
  const listeners = new Set<(token: string) => void>();
  const withoutRouter = history.replaceState.bind(history);
  addEventListener('popstate', (event) => {
    if (location.hash.startsWith(PREFIX)) event.stopImmediatePropagation();
  });
  // Follows `popstate`, and has the address of the page.
  addEventListener('hashchange', ({ oldURL }) => {
    const token = takePortalToken(location, { replaceState: withoutRouter }, oldURL);
    if (token !== null) for (const onToken of listeners) onToken(token);
  });
  return (onToken) => {
    listeners.add(onToken);
    return () => void listeners.delete(onToken);
  };
}
