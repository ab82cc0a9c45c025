import { isIPv4 } from 'node:net';
import { expect } from 'chai';
import { loopbackAddresses } from './addresses.js';

describe("the receiver's addresses", () => {
  it('are one to share and one for each endpoint, up to a bound, all on loopback', () => {
    expect(loopbackAddresses(3, 'linux')).to.deep.equal([
      '127.77.0.1',
      '127.77.0.2',
      '127.77.0.3',
      '127.77.0.4',
    ]);
    const many = loopbackAddresses(5_000, 'linux');
    expect(new Set(many).size).to.equal(513);
    expect(many.every((address) => isIPv4(address) && address.startsWith('127.'))).to.equal(true);
  });

  it('are one where the system answers on no other', () => {
    expect(loopbackAddresses(500, 'darwin')).to.deep.equal(['127.0.0.1']);
  });
});
