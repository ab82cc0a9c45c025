import { Worker } from 'node:worker_threads';
import type { Health } from './health-server.js';
import type { Address, Listener } from './listen.js';

const PROGRAM = new URL('./liveness-thread.js', import.meta.url);
/** The thread needs little: its heap may not grow beyond this. */
const RESOURCES = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 };

/**
 * Serves `/healthz` from a thread of its own, so that the answer does not wait for the work of the event loop. If the thread
 * fails later, the process gets an uncaught exception.
 */
export async function startLivenessServer({
  alive,
  ...address
}: Pick<Health, 'alive'> & Address): Promise<Listener> {
  const thread = new Worker(PROGRAM, { workerData: address, resourceLimits: RESOURCES });
  const port = await new Promise<number>((resolve, reject) => {
    thread.once('error', reject);
    // From the first message on: a question without a reply would count as a stuck process.
    thread.on('message', (message: number | 'ask') => {
      if (message === 'ask') return thread.postMessage(alive());
      thread.off('error', reject);
      resolve(message);
    });
  });
  return {
    port,
    async close() {
      await thread.terminate();
    },
  };
}
