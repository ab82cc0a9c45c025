import { expect } from 'chai';
import fc from 'fast-check';
import { createRequestReader, headersOf } from '../../src/testing/receiver.js';

const text = (path: string, id: string, body: string) =>
  [
    `POST ${path} HTTP/1.1`,
    'host: 127.77.0.1:4000',
    'connection: keep-alive',
    `Webhook-Id: ${id}`,
    `content-length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');

describe('request parser of the test receiver', () => {
  const read = (bytes: Buffer) => createRequestReader()(bytes);

  it('parses the request line, headers and body', () => {
    const [request] = read(Buffer.from(text('/quick/1', 'whd_1', '{"a":1}')));
    expect(request).to.include({ method: 'POST', path: '/quick/1' });
    expect(headersOf(request!)).to.include({ host: '127.77.0.1:4000', 'webhook-id': 'whd_1' });
    expect(request!.body.toString()).to.equal('{"a":1}');
  });

  it('returns a request once its body is complete', () => {
    const read = createRequestReader();
    const bytes = Buffer.from(text('/a', 'whd_1', '{"a":1}'));
    expect(read(bytes.subarray(0, -1))).to.deep.equal([]);
    expect(read(bytes.subarray(-1))).to.have.length(1);
  });

  it('finds all requests, for any split of their bytes and any bodies', () => {
    const bodies = fc.array(fc.constantFrom('', '{}', '\r\n\r\n', 'webhook-id: no\r\n', 'ä€'), {
      minLength: 1,
    });
    fc.assert(
      fc.property(bodies, fc.integer({ min: 1, max: 200 }), (all, size) => {
        const bytes = Buffer.from(
          all.map((body, index) => text(`/p/${index}`, `whd_${index}`, body)).join(''),
        );
        const read = createRequestReader();
        const found = [];
        for (let from = 0; from < bytes.length; from += size)
          found.push(...read(bytes.subarray(from, from + size)));
        expect(found.map(({ path, body }) => [path, body.toString()])).to.deep.equal(
          all.map((body, index) => [`/p/${index}`, body]),
        );
      }),
      { numRuns: 50 },
    );
  });
});
