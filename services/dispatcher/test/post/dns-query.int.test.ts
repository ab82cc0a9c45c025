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

  // Regression: a lost query for IPv4 left only addresses that most container networks do not reach, for 30 s.
  it('repeats an unanswered one for IPv4 although there are addresses of IPv6', async () => {
    let queries = 0;
    const addresses = ['192.0.2.1', '2001:db8::1'];
    const names = await nameServer(() => {
      queries += 1;
      return { addresses, ttlSeconds: 60, ...(queries <= 2 && { muteFor: 'IPv4' }) };
    });
    try {
      const found = await createDnsQuery([names.address]).query('both.example');
      expect(found.addresses.map(({ address }) => address)).to.deep.equal(addresses);
      expect(found.ttlSeconds).to.equal(60);
    } finally {
      await names.close();
    }
  });

  it('has the addresses of IPv6 for a second if there is no answer for IPv4', async () => {
    const names = await nameServer(() => ({ addresses: ['2001:db8::1'], ttlSeconds: 60, muteFor: 'IPv4' }));
    try {
      const found = await createDnsQuery([names.address]).query('new.example');
      expect(found.addresses).to.deep.equal([{ address: '2001:db8::1', family: 6 }]);
      expect(found.ttlSeconds).to.equal(1);
    } finally {
      await names.close();
    }
  });

  it('has the addresses of IPv6 at once if there are none of IPv4', async () => {
    const names = await nameServer(() => ({ addresses: ['2001:db8::1'], ttlSeconds: 60 }));
    try {
      expect((await createDnsQuery([names.address]).query('new.example')).ttlSeconds).to.equal(60);
    } finally {
      await names.close();
    }
  });
});
