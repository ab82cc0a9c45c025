import { request } from 'node:http';
import { NO_ANSWER } from './account.js';
import type { Publisher } from './publish-load.js';
import type { Source } from './sources.js';

const TIMEOUT_MS = 15_000;

/** One call over a connection of its own, as clients behind a load balancer make it. @throws Error without an answer */
export function post(
  { address, workspace, token }: Publisher,
  { path, body }: Source,
): Promise<{ readonly status: number; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
    };
    const call = request(
      `${address}/workspaces/${workspace}/${path}`,
      { method: 'POST', headers, agent: false, timeout: TIMEOUT_MS },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }),
        );
      },
    );
    call.on('timeout', () => call.destroy(new Error(NO_ANSWER)));
    call.on('error', reject);
    call.end(JSON.stringify(body));
  });
}
