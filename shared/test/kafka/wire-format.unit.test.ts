import { expect } from 'chai';
import { Undecodable } from '../../src/kafka/undecodable.js';
import { frame, schemaIdOf, unframe } from '../../src/kafka/wire-format.js';

describe('the wire format of events', () => {
  it('is a zero byte, the id of the schema in four bytes, and the text', () => {
    const bytes = frame(0x01020304, '{"é":1}');
    expect([...bytes.subarray(0, 5)]).to.deep.equal([0, 1, 2, 3, 4]);
    expect(bytes.subarray(5).toString()).to.equal('{"é":1}');
    expect(unframe(bytes)).to.deep.equal({ id: 0x01020304, text: '{"é":1}' });
    expect(unframe(frame(7, ''))).to.deep.equal({ id: 7, text: '' });
  });

  for (const [name, bytes] of [
    ['nothing', null],
    ['fewer bytes than the header has', Buffer.alloc(4)],
    ['another magic byte', Buffer.from([1, 0, 0, 0, 7, 0x7b, 0x7d])],
  ] as const)
    it(`is refused with ${name}`, () => {
      expect(() => schemaIdOf(bytes)).to.throw(Undecodable);
      expect(() => unframe(bytes)).to.throw(Undecodable);
    });

  it('is refused with a text that is not UTF-8', () => {
    expect(() => unframe(Buffer.from([0, 0, 0, 0, 7, 0xff]))).to.throw(Undecodable, 'not UTF-8');
  });
});
