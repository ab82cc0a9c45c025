import { poll } from '../processes/poll.js';

const TIMEOUT_MS = 60_000;

/** Resolves when the registry lists its subjects. */
export async function untilRegistryServes(url: string, signal?: AbortSignal): Promise<void> {
  const ask = async (): Promise<true | undefined> => {
    const answer = await fetch(`${url}/subjects`, { signal: AbortSignal.timeout(5_000) });
    await answer.arrayBuffer();
    return answer.ok ? true : undefined;
  };
  const what = `an answer of the schema registry at ${url}`;
  await poll(ask, { everyMs: 50, timeoutMs: TIMEOUT_MS, what, ...(signal && { signal }) });
}
