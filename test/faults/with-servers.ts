import { type Guard, startGuard } from '#dev/processes/guard';
import { type Servers, startServers } from './world/servers.js';

export interface Held {
  readonly servers: Servers;
  readonly guard: Guard;
}

/** Real servers for some work. Whatever was started ends with it, or with this process. */
export async function withServers<T>(work: (held: Held) => Promise<T>): Promise<T> {
  const guard = startGuard();
  const servers = await startServers(guard, console.log);
  try {
    return await work({ servers, guard });
  } finally {
    await servers.stop();
    guard.close();
  }
}
