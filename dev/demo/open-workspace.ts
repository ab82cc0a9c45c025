/** Runs an admin command and gives what it printed. */
export type Admin = (args: readonly string[]) => Promise<string>;

export const WORKSPACE = 'demo';

/** Makes the demo's workspace, unless it was kept from an earlier run, and a fresh token that may do everything in it. */
export async function openWorkspace(admin: Admin): Promise<string> {
  const owner = ['--name', 'Demo', '--owner-email', 'you@example.com'];
  await admin(['workspace', 'create', '--slug', WORKSPACE, ...owner]).catch((error: Error) => {
    if (!/is taken/.test(error.message)) throw error;
  });
  const about = ['--workspace', WORKSPACE, '--name', 'dev', '--scopes', 'admin', '--json'];
  const made: unknown = JSON.parse(await admin(['token', 'create', ...about]));
  const token = (made as { token?: unknown }).token;
  if (typeof token !== 'string') throw new Error('admin token create printed no token');
  return token;
}
