import { expect } from 'chai';
import fc from 'fast-check';
import { decodeClaim, encodeClaim } from '../../src/consumer/member-claim.js';

const NOTHING = { owned: [], generation: 0 };

describe('claim of a group member', () => {
  it('survives encoding and decoding', () => {
    fc.assert(
      fc.property(fc.array(fc.nat()), fc.nat(), (owned, generation) => {
        expect(decodeClaim(encodeClaim({ owned, generation }))).to.deep.equal({ owned, generation });
      }),
    );
  });

  const unreadable: readonly (readonly [what: string, userData: Buffer | null])[] = [
    ['is missing', null],
    ['is empty', Buffer.alloc(0)],
    ['is not JSON', Buffer.from([0, 1, 255])],
    ['is not an object', Buffer.from('null')],
    ['is of another version', Buffer.from('{"version":2,"generation":1,"owned":[0]}')],
    ['has no generation', Buffer.from('{"version":1,"owned":[0]}')],
    ['has no list', Buffer.from('{"version":1,"generation":1,"owned":"0"}')],
    ['has an invalid index in its list', Buffer.from('{"version":1,"generation":1,"owned":[0,-1]}')],
  ];
  for (const [what, userData] of unreadable) {
    it(`is empty when it ${what}`, () => {
      expect(decodeClaim(userData)).to.deep.equal(NOTHING);
    });
  }

  it('never throws for any bytes', () => {
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array(), fc.json().map(Buffer.from)), (userData) => {
        expect(decodeClaim(userData)).to.have.keys('owned', 'generation');
      }),
    );
  });
});
