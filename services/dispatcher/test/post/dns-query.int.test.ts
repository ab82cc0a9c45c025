import { nameServer } from '@postrider/shared/testing/name-server';
import { expect } from 'chai';
import { createDnsQuery } from '../../src/post/dns-query.js';

const numbers = Array.from({ length: 32 }, (_, index) => index + 1);

describe('a query of a name', () => {
  it('keeps the first eight addresses of each family of 64', async () => {
    const v4 = numbers.map((number) => `192.0.2.${number}`);
    const v6 = numbers.map((number) => `2001:db8::${number.toString(16)}`);
    const names = await nameServer(() => ({ addresses: [...v4, ...v6], ttlSeconds: 60 }));
    try {
      const { addresses, ttlSeconds } = await createDnsQuery([names.address]).query('many.example');
      const kept = [...v4.slice(0, 8), ...v6.slice(0, 8)];
      expect(addresses.map(({ address }) => address)).to.deep.equal(kept);
      expect(ttlSeconds).to.equal(60);
    } finally {
      await names.close();
    }
  });
});
