/**
 * The address that opens the console, signed in with an API token. A portal link would not do: no link may make tokens or
 * portal links, which belong to what the demo shows.
 */
export function consoleAddress(apiUrl: string, token: string): string {
  return `${apiUrl}/console/#token=${token}`;
}
