import { expect } from 'chai';
import fc from 'fast-check';
import { requestReader } from './read-requests.js';

const request = (path: string, id: string, body: string) =>
  [
    `POST ${path} HTTP/1.1`,
    'host: 127.77.0.1:4000',
    'connection: keep-alive',
    `Webhook-Id: ${id}`,
    `content-length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');

describe('the reader of requests', () => {
  it('finds path and id, and skips the body', () => {
    expect(requestReader()(Buffer.from(request('/quick/after-0/1', 'whd_1', '{"a":1}')))).to.deep.equal([
      { path: '/quick/after-0/1', id: 'whd_1' },
    ]);
  });

  it('says nothing of a request before its body is there', () => {
    const read = requestReader();
    const bytes = Buffer.from(request('/a', 'whd_1', '{"a":1}'));
    expect(read(bytes.subarray(0, -1))).to.deep.equal([]);
    expect(read(bytes.subarray(-1))).to.have.length(1);
  });

  it('finds all requests, however their bytes are cut, and whatever their bodies hold', () => {
    const bodies = fc.array(fc.constantFrom('', '{}', '\r\n\r\n', 'webhook-id: no\r\n', 'ä€'), {
      minLength: 1,
    });
    fc.assert(
      fc.property(bodies, fc.integer({ min: 1, max: 200 }), (all, size) => {
        const bytes = Buffer.from(
          all.map((body, index) => request(`/p/${index}`, `whd_${index}`, body)).join(''),
        );
        const read = requestReader();
        const found = [];
        for (let from = 0; from < bytes.length; from += size)
          found.push(...read(bytes.subarray(from, from + size)));
        expect(found).to.deep.equal(all.map((_, index) => ({ path: `/p/${index}`, id: `whd_${index}` })));
      }),
      { numRuns: 50 },
    );
  });
});
