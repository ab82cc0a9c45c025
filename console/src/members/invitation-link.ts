/** An invitation as its link names it. */
export interface InvitationAddress {
  readonly slug: string;
  readonly invitationId: string;
  readonly acceptToken: string;
}

/**
 * The link that opens the page on which an invitation is accepted. The token is in the fragment, which browsers send to no
 * server.
 *
 * @param consoleUrl the address of the console, with or without a fragment
 */
export function invitationLink(
  consoleUrl: string,
  { slug, invitationId, acceptToken }: InvitationAddress,
): string {
  const url = new URL(consoleUrl);
  url.hash = `/invitations/${[slug, invitationId, acceptToken].map(encodeURIComponent).join('/')}`;
  return url.href;
}
