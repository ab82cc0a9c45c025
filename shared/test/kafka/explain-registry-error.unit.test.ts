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

  // Regression: it was reported as a response with status 400.
  it('explains that there was no response', () => {
    const refused = 'Confluent_Schema_Registry - Error, status 400: connect ECONNREFUSED 127.0.0.1:1';
    expect(explainRegistry(new Error(refused))).to.equal(
      'it does not respond: connect ECONNREFUSED 127.0.0.1:1',
    );
    expect(explainRegistry(new Error('Error, status 400: bad schema'))).to.equal(
      'Error, status 400: bad schema',
    );
  });

  it('returns the message of other errors', () => {
    expect(explainRegistry(new Error('connect ECONNREFUSED'))).to.equal('connect ECONNREFUSED');
    expect(explainRegistry(answered(500))).to.equal('Error, status 500');
  });
});
