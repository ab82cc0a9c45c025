import type { SealedSecret } from '@postrider/shared/domain/sealed-secret';
import { formatSecret } from '@postrider/shared/domain/signing';
import { anEndpoint, ENDPOINT_ID, idFor, later, NOON } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { createKeyring } from '../../../src/engine/sending/keyring.js';

/** Each encryption has a nonce of its own. */
const sealed = (name: string): SealedSecret => ({ keyId: 'k1', nonce: name.padEnd(16, 'A'), box: name });
const keyBytes = (name: string) => Buffer.from(name.padEnd(32, '.'));

/** A keyring whose boxes open to a key made of their name, with a record of the opened boxes. */
function aKeyring(keptKeys?: number) {
  const opened: string[] = [];
  const keys = createKeyring((secret, context) => {
    opened.push(`${secret.box} of ${context}`);
    return formatSecret(keyBytes(secret.box));
  }, keptKeys);
  const namesAt = (endpoint: ReturnType<typeof endpointWith>, at: Date) =>
    keys.signing(endpoint, at).map((key) => key.export().toString().replaceAll('.', ''));
  return { keys, namesAt, opened };
}

function endpointWith(current: string, previous: { name: string; expiresAt: Date } | null = null) {
  const old = previous && { secret: sealed(previous.name), expiresAt: previous.expiresAt };
  return anEndpoint({ secrets: { version: 1, current: sealed(current), previous: old } });
}

describe('keyring', () => {
  it('returns the key of the current secret, opened for its endpoint', () => {
    const { namesAt, opened } = aKeyring();
    expect(namesAt(endpointWith('new'), NOON)).to.deep.equal(['new']);
    expect(opened).to.deep.equal([`new of ${ENDPOINT_ID}`]);
  });

  it('returns the previous key after the current one until it expires', () => {
    const { namesAt } = aKeyring();
    const endpoint = endpointWith('new', { name: 'old', expiresAt: later(1_000) });
    expect(namesAt(endpoint, later(999))).to.deep.equal(['new', 'old']);
    expect(namesAt(endpoint, later(1_000))).to.deep.equal(['new']);
  });

  it('opens each secret once and a new one immediately', () => {
    const { namesAt, opened } = aKeyring();
    namesAt(endpointWith('old'), NOON);
    namesAt(endpointWith('old'), NOON);
    expect(namesAt(endpointWith('new', { name: 'old', expiresAt: later(1) }), NOON)).to.deep.equal([
      'new',
      'old',
    ]);
    expect(opened).to.deep.equal([`old of ${ENDPOINT_ID}`, `new of ${ENDPOINT_ID}`]);
  });

  it('opens the secret of each endpoint, so that one that was copied from another is refused', () => {
    const keys = createKeyring((_secret, context) => {
      if (context !== ENDPOINT_ID) throw new Error('sealed for another row');
      return formatSecret(keyBytes('new'));
    });
    const endpoint = endpointWith('new');
    expect(keys.signing(endpoint, NOON)).to.have.length(1);
    const thief = { ...endpoint, id: idFor('endpoint', 'thief') };
    expect(() => keys.signing(thief, NOON)).to.throw('sealed for another row');
  });

  it('caches a bounded number of keys', () => {
    const { namesAt, opened } = aKeyring(3);
    for (const name of ['a', 'b', 'c', 'd', 'a'])
      expect(namesAt(endpointWith(name), NOON)).to.deep.equal([name]);
    expect(opened).to.have.length(5);
  });

  it('returns no key for a deleted endpoint', () => {
    const { keys } = aKeyring();
    expect(keys.signing(anEndpoint({ secrets: null }), NOON)).to.deep.equal([]);
  });

  it('throws each time for a secret that cannot be opened', () => {
    const keys = createKeyring(() => {
      throw new Error('unknown key');
    });
    for (const _ of ['first', 'second']) {
      expect(() => keys.signing(endpointWith('new'), NOON)).to.throw('unknown key');
    }
  });

  it('opens the headers of an endpoint once, and those of no other one', () => {
    const opened: string[] = [];
    const keys = createKeyring((secret, context) => {
      opened.push(`${secret.box} of ${context}`);
      return secret.box === 'key' ? formatSecret(keyBytes('new')) : '{"authorization":"Bearer x"}';
    });
    const headers = { names: ['authorization'], sealed: sealed('headers') };
    const endpoint = anEndpoint({ headers });
    expect(keys.headers(endpoint)).to.deep.equal({ authorization: 'Bearer x' });
    expect(keys.headers(endpoint)).to.deep.equal({ authorization: 'Bearer x' });
    expect(opened).to.deep.equal([`headers of ${ENDPOINT_ID}`]);
    expect(keys.headers(anEndpoint())).to.equal(null);
    expect(keys.headers(anEndpoint({ headers: null }))).to.equal(null);
  });

  it('uses no headers as a key, and no key as headers', () => {
    const keys = createKeyring(({ box }) => (box === 'key' ? formatSecret(keyBytes('new')) : '{"a":"x"}'));
    expect(() => keys.signing(endpointWith('headers'), NOON)).to.throw('no signing key');
    const endpoint = anEndpoint({ headers: { names: ['a'], sealed: sealed('key') } });
    expect(() => keys.headers(endpoint)).to.throw('no set of headers');
  });
});
