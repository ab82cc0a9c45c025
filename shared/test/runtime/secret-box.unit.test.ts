import { expect } from 'chai';
import fc from 'fast-check';
import { createSecretBox } from '../../src/runtime/secret-box.js';

const OLD = { id: 'old', key: Buffer.alloc(32, 1) };
const NEW = { id: 'new', key: Buffer.alloc(32, 2) };
const CONTEXT = 'whe_0000000001';

/** Flips one bit of base64-encoded bytes. */
function flip(base64: string, at: number): string {
  const bytes = Buffer.from(base64, 'base64');
  bytes[at] = bytes[at]! ^ 1;
  return bytes.toString('base64');
}

describe('secret box', () => {
  it('opens any secret that it sealed', () => {
    const box = createSecretBox([OLD]);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (secret, context) => {
        expect(box.open(box.seal(secret, context), context)).to.equal(secret);
      }),
      { numRuns: 50 },
    );
  });

  it('seals the same secret differently each time and reveals nothing of it', () => {
    const box = createSecretBox([OLD]);
    const [one, other] = [box.seal('whsec_abc', CONTEXT), box.seal('whsec_abc', CONTEXT)];
    expect(one.nonce).not.to.equal(other.nonce);
    expect(one.box).not.to.equal(other.box);
    expect(Buffer.from(one.box, 'base64').toString('latin1')).not.to.include('whsec_abc');
  });

  it('opens only with the same context', () => {
    const box = createSecretBox([OLD]);
    const sealed = box.seal('whsec_abc', CONTEXT);
    expect(() => box.open(sealed, 'whe_0000000002')).to.throw();
  });

  it('does not open after a change of the ciphertext, its tag or its nonce', () => {
    const box = createSecretBox([OLD]);
    const sealed = box.seal('whsec_abc', CONTEXT);
    const last = Buffer.from(sealed.box, 'base64').length - 1;
    expect(() => box.open({ ...sealed, box: flip(sealed.box, 0) }, CONTEXT)).to.throw();
    expect(() => box.open({ ...sealed, box: flip(sealed.box, last) }, CONTEXT)).to.throw();
    expect(() => box.open({ ...sealed, nonce: flip(sealed.nonce, 0) }, CONTEXT)).to.throw();
  });

  it('does not open a box with a truncated tag', () => {
    const box = createSecretBox([OLD]);
    const sealed = box.seal('', CONTEXT);
    const short = Buffer.from(sealed.box, 'base64').subarray(0, 4).toString('base64');
    expect(() => box.open({ ...sealed, box: short }, CONTEXT)).to.throw();
  });

  it('opens old boxes after a key rotation', () => {
    const before = createSecretBox([OLD]).seal('whsec_abc', CONTEXT);
    const during = createSecretBox([NEW, OLD]);
    expect(during.open(before, CONTEXT)).to.equal('whsec_abc');
    const after = during.seal('whsec_abc', CONTEXT);
    expect(after.keyId).to.equal('new');
    expect(createSecretBox([NEW]).open(after, CONTEXT)).to.equal('whsec_abc');
  });

  it('throws the id of an unknown key', () => {
    const sealed = createSecretBox([OLD]).seal('whsec_abc', CONTEXT);
    expect(() => createSecretBox([NEW]).open(sealed, CONTEXT)).to.throw(
      'encryption key "old" is not among the configured keys',
    );
  });

  it('does not open a box with another key of the same id', () => {
    const sealed = createSecretBox([OLD]).seal('whsec_abc', CONTEXT);
    expect(() => createSecretBox([{ id: 'old', key: NEW.key }]).open(sealed, CONTEXT)).to.throw(
      'encryption key "old" does not decrypt it: the key differs from the one with this id that encrypted it, or the stored value was changed',
    );
  });
});
