import { createServer, type RequestListener } from 'node:http';
import { type Address, type Listener, listen } from './listen.js';

export interface Health {
  /** Whether the process works or may recover. If not, it should be restarted. */
  readonly alive: () => boolean;
  /** Why the service is not ready; empty if it is. */
  readonly readiness: () => readonly string[];
}

/** Serves `/healthz` and `/readyz` for processes without another HTTP server. */
export function startHealthServer({ alive, readiness, ...address }: Health & Address): Promise<Listener> {
  return listen(createServer(answerHealth({ alive, readiness })), address);
}

/** Answers GET requests to `/healthz` and `/readyz`. */
export function answerHealth({ alive, readiness }: Health): RequestListener {
  return (request, response) => {
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
  };
}
