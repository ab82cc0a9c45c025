import { type Servers, startServers } from './world/servers.js';

export interface Held {
  readonly servers: Servers;
}

/** Runs `work` with real servers, which end with it or with this process. */
export async function withServers<T>(work: (held: Held) => Promise<T>): Promise<T> {
  const servers = await startServers(console.log);
  try {
    return await work({ servers });
  } finally {
    await servers.stop();
  }
}
