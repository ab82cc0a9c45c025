import { createUndo } from '../undo.js';
import { startOwnCluster } from './start-own-cluster.js';

/** Starts a cluster of our own for other uses, and ends it on Ctrl-C. */
export async function keepCluster(report: (line: string) => void): Promise<void> {
  const interrupted = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  const undo = createUndo();
  try {
    const { settings } = await startOwnCluster(report, undo);
    report('the cluster runs until Ctrl-C; to use it in another terminal:');
    for (const [name, value] of Object.entries(settings)) report(`export ${name}=${value}`);
    await interrupted;
    report('stopping the cluster');
  } finally {
    await undo.all();
  }
}
