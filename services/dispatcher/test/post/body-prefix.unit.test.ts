import { expect } from 'chai';
import fc from 'fast-check';
import { createBodyPrefix } from '../../src/post/body-prefix.js';

const LIMIT = 8;

function prefixOf(...chunks: readonly (string | number[])[]) {
  const prefix = createBodyPrefix(LIMIT);
  for (const chunk of chunks) prefix.add(Buffer.from(chunk as string));
  return prefix;
}

describe('prefix of a response body', () => {
  it('keeps a short body completely and distinguishes an empty body from none', () => {
    expect(prefixOf('ok').text()).to.equal('ok');
    expect(prefixOf().text()).to.equal('');
  });

  it('accepts no more bytes at the limit', () => {
    const prefix = createBodyPrefix(LIMIT);
    expect(prefix.add(Buffer.from('1234567'))).to.equal(false);
    expect(prefix.add(Buffer.from('89 and more'))).to.equal(true);
    expect(prefix.add(Buffer.from('more'))).to.equal(true);
    expect(prefix.text()).to.equal('12345678');
  });

  it('omits a character that the limit cuts', () => {
    expect(prefixOf('1234567é').text()).to.equal('1234567');
    expect(prefixOf('12345😀').text()).to.equal('12345');
  });

  it('replaces invalid UTF-8 by U+FFFD, also at the end of a complete body', () => {
    expect(prefixOf([0x61, 0xff, 0x62]).text()).to.equal('a\ufffdb');
    expect(prefixOf([0x61, 0xc3]).text()).to.equal('a\ufffd');
  });

  it('keeps control characters and a byte order mark', () => {
    expect(prefixOf('\ufeffa\0\u001b').text()).to.equal('\ufeffa\0\u001b');
    expect(prefixOf('\ufeff\0\u0001\u0002\u0003\u0004').text()).to.equal('\ufeff\0\u0001\u0002\u0003\u0004');
  });

  it('does not depend on the chunks of the body', () => {
    const bodies = fc.array(fc.uint8Array({ maxLength: 5 }), { maxLength: 6 });
    fc.assert(
      fc.property(bodies, (chunks) => {
        const [pieces, whole] = [createBodyPrefix(LIMIT), createBodyPrefix(LIMIT)];
        for (const chunk of chunks) pieces.add(chunk);
        whole.add(Buffer.concat(chunks));
        expect(pieces.text()).to.equal(whole.text());
      }),
    );
  });

  it('is a prefix of the body and omits less than one character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: LIMIT }), (body) => {
        const kept = prefixOf(body).text();
        expect(body.startsWith(kept)).to.equal(true);
        expect(Buffer.byteLength(kept)).to.be.within(LIMIT - 3, LIMIT);
      }),
    );
  });
});
