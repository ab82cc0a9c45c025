/**
 * The address that opens the console, signed in with an API token. A portal link would not suffice: it cannot create tokens or
 * portal links, which the demo shows.
 */
export function consoleAddress(apiUrl: string, token: string): string {
  return `${apiUrl}/console/#token=${token}`;
}
