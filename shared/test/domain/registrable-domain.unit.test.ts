import { expect } from 'chai';
import { registrableDomain } from '../../src/domain/registrable-domain.js';

describe('registrableDomain', () => {
  const TABLE = [
    ['https://example.com', 'example.com'],
    ['https://hooks.eu.example.com:8443', 'example.com'],
    ['https://hooks.example.co.uk', 'example.co.uk'],
    ['https://hooks.example.com.au', 'example.com.au'],
    ['https://a.example.com.', 'example.com'],
    ['https://203.0.113.7:8443', '203.0.113.7'],
    ['https://[2001:db8::1]:8443', '2001:db8::1'],
    ['http://receiver:8080', 'receiver'],
  ] as const;
  for (const [origin, domain] of TABLE)
    it(`of ${origin} is ${domain}`, () => expect(registrableDomain(origin)).to.equal(domain));
});
