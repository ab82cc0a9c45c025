import { expect } from 'chai';
import express from 'express';
import type { Problem } from '../../src/contract/problem.js';
import { deadline } from '../../src/http/deadline.js';
import { errorHandler } from '../../src/http/error-handler.js';
import { responseHeaders } from '../../src/http/response-headers.js';
import { startServer } from '../../src/http/server.js';
import { recordedLog } from '../recorded-log.js';
import { fetchJson } from '../typed-client.js';

describe('request deadline', () => {
  it('sends a response for a hanging handler, and keeps the connection usable when the handler fails later', async () => {
    const log = recordedLog();
    let fail = (_: Error) => {};
    const app = express()
      .use(responseHeaders)
      .use(deadline(20, log))
      .get(
        '/hangs',
        () =>
          new Promise((_, reject) => {
            fail = reject;
          }),
      )
      .get('/works', (_, response) => void response.json({}))
      .use(errorHandler({ isDatabaseAway: () => false, log }));
    const server = await startServer({ host: '127.0.0.1', port: 0, listener: app });
    const get = (path: string) => fetchJson<Problem>(`http://127.0.0.1:${server.port}${path}`);
    const { status, body, headers } = await get('/hangs');
    expect([status, body.tag, headers.get('retry-after')]).to.deep.equal([503, 'Unavailable', '5']);
    fail(new Error('too late'));
    expect((await get('/works')).status).to.equal(200);
    expect(log.lines.map(({ facts }) => facts.event)).to.include.members([
      'http.deadline',
      'http.late_error',
    ]);
    await server.close(100);
  });
});
