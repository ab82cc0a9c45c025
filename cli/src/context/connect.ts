import { type Client, createClient, type TokenSession } from '@postrider/client';
import { EXIT_CODES } from './exit-codes.js';
import { CommandError } from './explain-error.js';
import { isHttpUrl } from './is-http-url.js';
import { DEFAULT_PROFILE, type Profile, readProfiles } from './profiles.js';
import { misused } from './read-input.js';
import { signIn } from './sign-in.js';

export interface Connection {
  readonly profile: Profile;
  readonly session: TokenSession;
  readonly client: Client;
}

/**
 * What the api accepts as a token. `fetch` refuses a header with some of the other characters, with an error that quotes the
 * token.
 */
const TOKEN = /^[A-Za-z0-9._~+/=-]+$/;
const LOCAL = 'http://127.0.0.1:8080';

/**
 * The values of the environment. A command with `--profile` uses none of them: the token of one installation must not be sent to
 * another.
 *
 * @param profileName as given by `--profile`
 */
export function readVariables(
  env: NodeJS.ProcessEnv,
  profileName: string | undefined,
): { readonly token?: string; readonly url?: string } {
  if (profileName !== undefined) return {};
  const token = env.POSTRIDER_TOKEN?.trim();
  return { ...(token && { token }), ...(env.POSTRIDER_URL && { url: env.POSTRIDER_URL }) };
}

/**
 * The address and the token. Without `--profile`, environment variables override the default profile.
 *
 * @param profileName as given by `--profile`
 */
export async function chooseProfile(env: NodeJS.ProcessEnv, profileName?: string): Promise<Profile> {
  const name = profileName ?? DEFAULT_PROFILE;
  const stored = (await readProfiles(env))[name];
  const variables = readVariables(env, profileName);
  const token = variables.token ?? stored?.token;
  if (token === undefined) throw notSignedIn(name, profileName);
  requireToken(token, variables.token === undefined ? `the token of profile "${name}"` : 'POSTRIDER_TOKEN');
  return { token, url: requireApiUrl(variables.url ?? stored?.url ?? LOCAL) };
}

function notSignedIn(name: string, profileName: string | undefined): CommandError {
  const next =
    profileName === undefined
      ? 'Sign in with `postrider login`, or set POSTRIDER_TOKEN.'
      : `Sign in with \`postrider login --profile ${name}\`; POSTRIDER_TOKEN is not used with --profile.`;
  return new CommandError('NotSignedIn', `profile "${name}" has no token.`, {
    next,
    exitCode: EXIT_CODES.unauthorized,
  });
}

/**
 * @param source what contains the token, for the error, which does not show it
 * @throws CommandError
 */
export function requireToken(token: string, source: string): void {
  if (TOKEN.test(token)) return;
  throw new CommandError(
    'InvalidToken',
    `${source} is not a token: one has letters, digits and ._~+/=- only.`,
    {
      next: 'Copy the whole token again, without spaces and quotes.',
      exitCode: EXIT_CODES.unauthorized,
    },
  );
}

/** @throws CommandError */
export function requireApiUrl(given: string): string {
  const url = given.trim();
  if (isHttpUrl(url)) return url;
  // It is not shown, because it may contain a password.
  throw misused(
    'the address of the api is no http URL without user name and password.',
    'Set POSTRIDER_URL, or give --url to `postrider login`, like https://postrider.example.com.',
  );
}

export async function connect(env: NodeJS.ProcessEnv, name?: string): Promise<Connection> {
  const profile = await chooseProfile(env, name);
  const { url, token } = profile;
  const session = await signIn(url, token);
  return {
    profile,
    session,
    client: createClient({ baseUrl: url, token, workspace: session.workspace.slug }),
  };
}
