import { expect } from 'chai';
import { Refusal } from '../../src/domain/refusal.js';

describe('Refusal', () => {
  it('carries its tag, the detail for the caller and every mistake of the input', () => {
    const errors = [{ path: 'url', message: 'must start with https://' }];
    const refusal = new Refusal('InvalidWebhookUrl', 'The URL cannot be used.', errors);
    expect(refusal).to.be.instanceOf(Error);
    expect(refusal).to.include({
      name: 'Refusal',
      tag: 'InvalidWebhookUrl',
      detail: 'The URL cannot be used.',
    });
    expect(refusal.message).to.equal('InvalidWebhookUrl: The URL cannot be used.');
    expect(refusal.errors).to.deep.equal(errors);
  });

  it('names no mistake where there is none', () => {
    expect(new Refusal('LastOwner', 'A workspace keeps one owner.').errors).to.deep.equal([]);
  });
});
