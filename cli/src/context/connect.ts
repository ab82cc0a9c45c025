import { type Client, createClient, getSession, type TokenSession } from '@postrider/client';
import { EXIT_CODES } from './exit-codes.js';
import { CommandError } from './explain-error.js';
import { isHttpUrl } from './is-http-url.js';
import { DEFAULT_PROFILE, type Profile, readProfiles } from './profiles.js';

export interface Connection {
  readonly profile: Profile;
  readonly session: TokenSession;
  readonly client: Client;
}

const LOCAL = 'http://127.0.0.1:8080';

/** The address and the token. Environment variables override the profile. */
export async function chooseProfile(env: NodeJS.ProcessEnv, name = DEFAULT_PROFILE): Promise<Profile> {
  const stored = (await readProfiles(env))[name];
  const token = env.POSTRIDER_TOKEN || stored?.token;
  if (token === undefined) {
    throw new CommandError('NotSignedIn', `profile "${name}" has no token.`, {
      next: 'Sign in with `postrider login`, or set POSTRIDER_TOKEN.',
      exitCode: EXIT_CODES.unauthorized,
    });
  }
  return { token, url: requireApiUrl(env.POSTRIDER_URL || stored?.url || LOCAL) };
}

/** @throws CommandError */
export function requireApiUrl(url: string): string {
  if (isHttpUrl(url)) return url;
  throw new CommandError('InvalidRequest', `"${url}" is not the address of an api.`, {
    next: 'Set POSTRIDER_URL, or give --url to `postrider login`, like https://postrider.example.com.',
    exitCode: EXIT_CODES.misused,
  });
}

export async function connect(env: NodeJS.ProcessEnv, name?: string): Promise<Connection> {
  const profile = await chooseProfile(env, name);
  const { url, token } = profile;
  const session = await getSession({ baseUrl: url, token });
  return {
    profile,
    session,
    client: createClient({ baseUrl: url, token, workspace: session.workspace.slug }),
  };
}
