const PREFIX = '#token=';

/**
 * Takes the token of a portal link out of the address bar and the history, so that it is neither shared nor kept by
 * the browser.
 *
 * @returns null when the page was not opened by a portal link
 */
export function takePortalToken(location: Location, history: History): string | null {
  if (!location.hash.startsWith(PREFIX)) return null;
  const token = decodeURIComponent(location.hash.slice(PREFIX.length));
  history.replaceState(null, '', `${location.pathname}${location.search}`);
  return token;
}
