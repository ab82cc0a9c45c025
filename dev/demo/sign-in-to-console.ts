import { createClient } from '@postrider/client';
import { WORKSPACE } from '../start/run-admin.js';

const A_DAY_S = 24 * 60 * 60;

/** Creates a portal link with every permission of the token. @returns the address of the console below the api's */
export async function signInToConsole(baseUrl: string, token: string): Promise<string> {
  const client = createClient({ baseUrl, workspace: WORKSPACE, token });
  const link = await client.post('/portal-links', { body: { scopes: ['admin'], expiresIn: A_DAY_S } });
  return `/console/#token=${link.token}`;
}
