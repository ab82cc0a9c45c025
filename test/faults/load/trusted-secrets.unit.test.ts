import { expect } from 'chai';
import { trustedSecrets } from './trusted-secrets.js';

describe('the secrets that a receiver trusts', () => {
  const rotated = trustedSecrets();
  for (const [index, secret] of ['first', 'second', 'third'].entries()) rotated.add(secret, index * 100_000);

  it('are the current one and the one before it', () => {
    expect(rotated.at(50_000)).to.deep.equal(['first']);
    expect(rotated.at(150_000)).to.deep.equal(['first', 'second']);
    expect(rotated.at(250_000)).to.deep.equal(['second', 'third']);
  });

  it('are also the older one while POSTs may be under way that it signed', () => {
    expect(rotated.at(205_000)).to.deep.equal(['first', 'second', 'third']);
    expect(rotated.at(211_000)).to.deep.equal(['second', 'third']);
  });

  it('are also the next one when its rotation was about to be answered', () => {
    expect(rotated.at(90_000)).to.deep.equal(['first', 'second']);
    expect(rotated.at(80_000)).to.deep.equal(['first']);
  });
});
