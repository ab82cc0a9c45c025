import { type Stack, type StackOptions, Unavailable } from '../stack.js';
import { whyNoDaemon } from './find-daemon.js';

/**
 * Starts the three servers as containers. The container library ends them if we are killed. With a data directory the
 * data lies in named volumes, which outlive the containers.
 * @throws Unavailable when no daemon answers or an image is neither there nor pulled in time
 */
export async function startContainers(options: StackOptions): Promise<Stack> {
  const reason = await whyNoDaemon(options.env ?? process.env);
  if (reason !== undefined) throw new Unavailable(reason);
  // Loading the container library takes half a second and much memory, for nothing where there is no daemon.
  const { runContainers } = await import('./run-containers.js');
  return runContainers(options);
}
