import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';

const TIMEOUT_MS = 3_000;

/**
 * Why no Docker daemon can be used, or undefined when one answers. A `docker` client on the PATH proves nothing, so it is
 * the daemon that is asked; and it is asked here, because loading the container library takes half a second.
 */
export async function whyNoDaemon(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const host = env.DOCKER_HOST;
  if (host && !host.startsWith('unix://')) return whyNoAnswer(host);
  if (existsSync(join(homedir(), '.testcontainers.properties'))) return undefined;
  const sockets = host ? [host.slice('unix://'.length)] : socketPaths(env);
  const present = sockets.filter((path) => existsSync(path));
  if (present.length === 0) return `no Docker daemon (there is no ${sockets[0]})`;
  const answers = await Promise.all(present.map(ping));
  return answers.includes(true) ? undefined : `no Docker daemon answers at ${present.join(', ')}`;
}

function socketPaths(env: NodeJS.ProcessEnv): string[] {
  const runtime = env.XDG_RUNTIME_DIR ?? `/run/user/${process.getuid?.() ?? ''}`;
  const ofUser = ['.docker/run/docker.sock', '.docker/desktop/docker.sock'];
  return [
    '/var/run/docker.sock',
    ...ofUser.map((path) => join(homedir(), path)),
    join(runtime, 'docker.sock'),
  ];
}

function ping(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request({ socketPath, path: '/_ping', timeout: TIMEOUT_MS }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    asked.once('timeout', () => asked.destroy(new Error('no answer')));
    asked.once('error', () => resolve(false));
    asked.end();
  });
}

/** Of a daemon on the network, which may want TLS, only that somebody listens. */
function whyNoAnswer(host: string): Promise<string | undefined> {
  const { hostname, port } = new URL(host);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port || 2375), timeout: TIMEOUT_MS });
    const settle = (reason: string | undefined): void => {
      socket.destroy();
      resolve(reason);
    };
    socket.once('connect', () => settle(undefined));
    socket.once('timeout', () => settle(`no Docker daemon answers at ${host}`));
    socket.once('error', () => settle(`no Docker daemon answers at ${host}`));
  });
}
