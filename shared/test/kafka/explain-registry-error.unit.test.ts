import { expect } from 'chai';
import { explainRegistry } from '../../src/kafka/explain-registry-error.js';

describe('explainRegistry', () => {
  const answered = (status: number) => Object.assign(new Error(`Error, status ${status}`), { status });

  it('explains a rejected login, even as the cause of another error', () => {
    const wrapped = new Error('no schema', { cause: answered(401) });
    expect(explainRegistry(wrapped)).to.match(/^it rejects the login: check SCHEMA_REGISTRY_USERNAME/);
  });

  it('explains a missing permission', () => {
    expect(explainRegistry(answered(403))).to.match(/^it does not authorize this login: /);
  });

  for (const message of ['self-signed certificate in certificate chain', 'ERR_TLS_CERT_ALTNAME_INVALID'])
    it(`explains an untrusted certificate: ${message}`, () => {
      expect(explainRegistry(new Error(message)))
        .to.match(/^its certificate is not trusted: check SCHEMA_REGISTRY_CA_FILE/)
        .and.to.include(message);
    });

  it('returns the message of other errors', () => {
    expect(explainRegistry(new Error('connect ECONNREFUSED'))).to.equal('connect ECONNREFUSED');
    expect(explainRegistry(answered(500))).to.equal('Error, status 500');
  });
});
