import { expect } from 'chai';
import { explainRegistry } from '../../src/kafka/explain-registry-error.js';

describe('trouble with the schema registry', () => {
  const answered = (status: number) => Object.assign(new Error(`Error, status ${status}`), { status });

  it('is a login that is refused, also beneath what the library made of it', () => {
    const wrapped = new Error('no schema', { cause: answered(401) });
    expect(explainRegistry(wrapped)).to.match(/^it rejects the login: check SCHEMA_REGISTRY_USERNAME/);
  });

  it('is a right that a login does not have', () => {
    expect(explainRegistry(answered(403))).to.match(/^it does not authorize this login: /);
  });

  for (const message of ['self-signed certificate in certificate chain', 'ERR_TLS_CERT_ALTNAME_INVALID'])
    it(`is a certificate: ${message}`, () => {
      expect(explainRegistry(new Error(message)))
        .to.match(/^its certificate is not trusted: check SCHEMA_REGISTRY_CA_FILE/)
        .and.to.include(message);
    });

  it('is told in the words of the error where they say enough', () => {
    expect(explainRegistry(new Error('connect ECONNREFUSED'))).to.equal('connect ECONNREFUSED');
    expect(explainRegistry(answered(500))).to.equal('Error, status 500');
  });
});
