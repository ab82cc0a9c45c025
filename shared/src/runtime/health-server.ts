import { createServer } from 'node:http';
import { type Listener, listen } from './listen.js';

interface HealthOptions {
  readonly host: string;
  readonly port: number;
  /** Whether the process works or may recover. If not, it should be restarted. */
  readonly alive: () => boolean;
  /** Why the service is not ready; empty if it is. */
  readonly readiness: () => readonly string[];
}

/** Serves `/healthz` and `/readyz` for processes without another HTTP server. */
export function startHealthServer({ alive, readiness, ...address }: HealthOptions): Promise<Listener> {
  const server = createServer((request, response) => {
    const answer = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (request.url === '/healthz')
      return answer(alive() ? 200 : 503, { status: alive() ? 'alive' : 'stuck' });
    if (request.url !== '/readyz') return answer(404, { status: 'not found' });
    const problems = readiness();
    return answer(problems.length === 0 ? 200 : 503, {
      status: problems.length === 0 ? 'ready' : 'not ready',
      missing: problems,
    });
  });
  return listen(server, address);
}
