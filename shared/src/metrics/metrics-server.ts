import { createServer, type RequestListener } from 'node:http';
import { type Address, type Listener, listen } from '../runtime/listen.js';
import type { Metrics } from './metrics.js';

/** Serves `/metrics` on its own port, so that it is not exposed together with the API. */
export function startMetricsServer(
  metrics: Pick<Metrics, 'text' | 'contentType'>,
  address: Address,
): Promise<Listener> {
  return listen(createServer(answerMetrics(metrics)), address);
}

/** Answers requests to `/metrics`. */
export function answerMetrics(metrics: Pick<Metrics, 'text' | 'contentType'>): RequestListener {
  return async (request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end();
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return void response.writeHead(405, { allow: 'GET, HEAD' }).end();
    try {
      const text = await metrics.text();
      response.writeHead(200, { 'content-type': metrics.contentType }).end(text);
    } catch {
      response.writeHead(500).end();
    }
  };
}
