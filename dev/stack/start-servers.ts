import { SERVERS, type ServerName } from './stack.js';

interface Stoppable {
  stop(): Promise<unknown>;
}

/**
 * Starts the three servers in parallel. When one fails, the starts of the others are cancelled and all are stopped.
 * @param release called once all have stopped at the caller's request
 * @returns the servers, and a `stop` that may be called repeatedly
 */
export async function startServers<T extends Stoppable>(
  start: (name: ServerName, signal: AbortSignal) => Promise<T>,
  release = () => {},
): Promise<{ readonly servers: readonly T[]; readonly stop: () => Promise<void> }> {
  const cancelled = new AbortController();
  const starts = SERVERS.map((name) => start(name, cancelled.signal));
  for (const one of starts) one.catch((error) => cancelled.abort(error));
  const results = await Promise.allSettled(starts);
  const servers = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const stopAll = () => Promise.all(servers.map((server) => server.stop()));
  if (cancelled.signal.aborted) {
    await stopAll();
    throw cancelled.signal.reason;
  }
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= stopAll().then(release);
    return stopped;
  };
  return { servers, stop };
}
