import { runAdmin } from '../start/run-admin.js';

/** The demo's workspace. */
export const WORKSPACE = 'demo';

/** Creates a workspace, unless it exists from an earlier run. @returns a new token with every permission in it */
export async function openWorkspace(slug: string, env: NodeJS.ProcessEnv, admin = runAdmin): Promise<string> {
  const workspace = ['--slug', slug, '--name', slug, '--owner-email', 'owner@example.com'];
  await admin(['workspace', 'create', ...workspace], env).catch((error: Error) => {
    if (!/is taken/.test(error.message)) throw error;
  });
  const token = ['--workspace', slug, '--name', 'dev', '--scopes', 'admin', '--json'];
  return (JSON.parse(await admin(['token', 'create', ...token], env)) as { token: string }).token;
}
