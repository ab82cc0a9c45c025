import { text } from 'node:stream/consumers';
import type { TokenSession } from '@postrider/client';
import type { Command } from 'commander';
import type { Cli, CommandContext } from '../context/cli.js';
import { chooseProfile, readVariables, requireApiUrl, requireToken } from '../context/connect.js';
import { EXIT_CODES } from '../context/exit-codes.js';
import { CommandError } from '../context/explain-error.js';
import { parseCredential } from '../context/parse-credential.js';
import { DEFAULT_PROFILE, saveProfile } from '../context/profiles.js';
import { readHiddenLine } from '../context/read-hidden-line.js';
import { signIn } from '../context/sign-in.js';

interface LoginOptions {
  readonly url?: string;
}

export function addLogin(program: Command, cli: Cli): void {
  program
    .command('login')
    .description(
      'stores an API token or a portal link, read from standard input or, without --profile, POSTRIDER_TOKEN, in a profile',
    )
    .option(
      '--url <url>',
      'address of the api; default: that of the portal link, or without --profile POSTRIDER_URL',
    )
    .action(cli.action<LoginOptions>(login));
  program
    .command('logout')
    .description('removes a profile')
    .action(
      cli.action(async ({ env, profileName = DEFAULT_PROFILE }) => saveProfile(env, profileName, null)),
    );
  program
    .command('whoami')
    .description('shows the workspace, the permissions and the limits of the token')
    .action(cli.action(whoami));
}

async function login(context: CommandContext, options: LoginOptions): Promise<void> {
  const { env, profileName } = context;
  const variables = readVariables(env, profileName);
  const { credential, source } = await readCredential(context, variables.token);
  const { token, url: ofLink } = parseCredential(credential);
  requireToken(token, source);
  const given = options.url ?? ofLink ?? variables.url;
  if (given === undefined) {
    throw new CommandError('InvalidRequest', 'the address of the api is missing.', {
      next: 'Give it with --url, like --url https://postrider.example.com.',
      exitCode: EXIT_CODES.misused,
    });
  }
  const url = requireApiUrl(given);
  const { workspace } = await signIn(url, token);
  const profile = profileName ?? DEFAULT_PROFILE;
  await saveProfile(env, profile, { url, token });
  context.output.one({ profile, url, workspace: workspace.slug }, (signedIn) => [
    `Signed in to workspace ${signedIn.workspace} at ${url} (profile ${signedIn.profile}).`,
  ]);
}

interface GivenCredential {
  readonly credential: string;
  /** How errors name where it comes from. */
  readonly source: string;
}

/**
 * Reads standard input, of a terminal one line, unless a person would have to type although the environment has a token.
 *
 * @param ofEnvironment the token of the environment, also used if the input is empty, as without a terminal in CI
 */
async function readCredential(
  { terminal, stdin }: CommandContext,
  ofEnvironment: string | undefined,
): Promise<GivenCredential> {
  const variable = ofEnvironment && { credential: ofEnvironment, source: 'POSTRIDER_TOKEN' };
  const isTyped = stdin.isTTY === true;
  if (isTyped && variable) return variable;
  if (isTyped)
    terminal.note('Paste an API token or the URL of a portal link, which is not shown, then press Enter:');
  const credential = await (isTyped ? readHiddenLine(stdin) : text(stdin));
  return variable && credential.trim() === '' ? variable : { credential, source: 'the input' };
}

async function whoami({ env, profileName, connect, output }: CommandContext): Promise<void> {
  const { url } = await chooseProfile(env, profileName);
  const { session } = await connect();
  output.one({ url, ...session }, ({ workspace, expiresAt, tokenId, ...limits }) => [
    `${workspace.name} (${workspace.slug}) at ${url}`,
    `token ${tokenId}, ${expiresAt === null ? 'does not expire' : `expires ${expiresAt}`}`,
    ...describeLimits(limits),
  ]);
}

/** An api of an earlier version does not return the limits. */
function describeLimits({
  permissions,
  effectivePermissions = permissions,
  endpointIds = null,
}: Pick<TokenSession, 'permissions'> & Partial<TokenSession>): readonly string[] {
  const may = `may ${effectivePermissions.join(', ')}`;
  return endpointIds === null ? [may] : [may, `limited to the endpoints ${endpointIds.join(', ')}`];
}
