/** A token with characters that no header can have, as when it was copied with typographic quotes or a line break. */
export class InvalidToken extends TypeError {}

/**
 * The header of requests with a token. `fetch` refuses some characters as well, but its error quotes the header with the token,
 * and errors end up in logs.
 *
 * @throws InvalidToken, without the token
 */
export function authorizationOf(token: string): string {
  const value = `Bearer ${token}`;
  try {
    new Headers({ authorization: value });
  } catch {
    throw new InvalidToken(
      'the token has characters that no token has: copy it again, without spaces and quotes',
    );
  }
  return value;
}
