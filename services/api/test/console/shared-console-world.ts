import { type ApiWorld, apiWorld } from '../api-world.js';
import { type ConsoleWorld, openConsole } from './console-world.js';

/** Pages are measured and listed without limits. */
const ENVIRONMENT = { RATE_LIMIT_REST_READ: '0', ENDPOINTS_PER_WORKSPACE: '2000' };

let sharedApi: Promise<ApiWorld> | null = null;
let workspaces = 0;

/**
 * A console in a workspace of its own. All files share one api and its database, because starting them takes longer than a
 * test. They end with the process and the servers, like the browser.
 */
export async function sharedConsoleWorld(host?: string): Promise<ConsoleWorld> {
  sharedApi ??= apiWorld(ENVIRONMENT);
  const api = await sharedApi;
  workspaces++;
  const workspace = await api.addWorkspace(`console-${workspaces}`);
  return openConsole(
    {
      ...api,
      workspace,
      as: (scopes, facts) => api.as(scopes, { workspace, ...facts }),
      destroy: async () => {},
    },
    host,
  );
}
