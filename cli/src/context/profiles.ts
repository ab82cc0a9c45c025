import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { EXIT_CODES } from './exit-codes.js';
import { CommandError } from './explain-error.js';
import { withoutExcerpt } from './read-input.js';

/** The target of a profile's commands. */
export interface Profile {
  readonly url: string;
  readonly token: string;
}

export const DEFAULT_PROFILE = 'default';

type Profiles = Readonly<Record<string, Profile>>;

/** The file with the tokens of all profiles; only its owner may read it. */
export function profilesPath(env: NodeJS.ProcessEnv): string {
  const folder = env.XDG_CONFIG_HOME || env.APPDATA || join(homedir(), '.config');
  return join(folder, 'postrider', 'profiles.json');
}

export async function readProfiles(env: NodeJS.ProcessEnv): Promise<Profiles> {
  const path = profilesPath(env);
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Profiles;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw invalidProfiles(`${path} cannot be read`, error);
  }
}

/** Stores a profile, or removes it if it is null. */
export async function saveProfile(env: NodeJS.ProcessEnv, name: string, profile: Profile | null) {
  const { [name]: _, ...others } = await readProfiles(env);
  const path = profilesPath(env);
  const written = `${path}.${process.pid}`;
  const profiles = profile === null ? others : { ...others, [name]: profile };
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(written, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 });
    await rename(written, path);
  } catch (error) {
    throw invalidProfiles(`${path} cannot be written`, error);
  }
}

const invalidProfiles = (problem: string, error: unknown) =>
  new CommandError('InvalidProfiles', `${problem}: ${withoutExcerpt(error as Error)}`, {
    next: 'Fix or remove the file, or set XDG_CONFIG_HOME to another folder.',
    exitCode: EXIT_CODES.misused,
  });
