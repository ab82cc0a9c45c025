import { getSession, type TokenSession } from '@postrider/client';

/** A wrong address is the commonest cause of a call without a response, so the user learns of it within two seconds. */
const RETRY = { times: 2 };

/** Returns the workspace and the permissions of a token. @throws as getSession does */
export function signIn(baseUrl: string, token: string): Promise<TokenSession> {
  return getSession({ baseUrl, token, retry: RETRY });
}
