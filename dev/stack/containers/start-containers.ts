import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Stack, type StackOptions, Unavailable } from '../stack.js';

/**
 * Starts the three servers as containers. The container library ends them if we are killed. With a data directory the
 * data lies in named volumes, which outlive the containers.
 * @throws Unavailable when no daemon answers or an image is neither present nor pulled in time
 */
export async function startContainers(options: StackOptions): Promise<Stack> {
  const env = options.env ?? process.env;
  const sockets = socketPaths(env);
  const isConfigured = env.DOCKER_HOST || existsSync(join(homedir(), '.testcontainers.properties'));
  if (!isConfigured && !sockets.some(existsSync))
    throw new Unavailable(`no Docker daemon (there is no ${sockets[0]})`);
  // Loading the container library takes half a second and much memory, wasted where there is no daemon.
  const { runContainers } = await import('./run-containers.js');
  return runContainers(options);
}

function socketPaths(env: NodeJS.ProcessEnv): string[] {
  const runtime = env.XDG_RUNTIME_DIR ?? `/run/user/${process.getuid?.() ?? ''}`;
  const ofUser = ['.docker/run/docker.sock', '.docker/desktop/docker.sock'];
  const home = ofUser.map((path) => join(homedir(), path));
  return ['/var/run/docker.sock', ...home, join(runtime, 'docker.sock')];
}
