import { poll } from '../processes/poll.js';
import { findCoordinator } from './find-coordinator.js';

const TIMEOUT_MS = 60_000;

/** Resolves when topics can be created and consumer groups joined. */
export async function untilKafkaServes(address: string, signal?: AbortSignal): Promise<void> {
  const ask = async (): Promise<true | undefined> => {
    const error = await findCoordinator(address);
    if (error !== 0) throw new Error(`Kafka answers with error code ${error}`);
    return true;
  };
  const what = `Kafka serving at ${address}`;
  await poll(ask, { everyMs: 50, timeoutMs: TIMEOUT_MS, what, ...(signal && { signal }) });
}
