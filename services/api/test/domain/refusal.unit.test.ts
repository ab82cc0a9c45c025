import { expect } from 'chai';
import { Refusal } from '../../src/domain/refusal.js';

describe('Refusal', () => {
  it('has a tag, a detail and the invalid inputs', () => {
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

  it('has no invalid inputs by default', () => {
    expect(new Refusal('LastOwner', 'A workspace keeps one owner.').errors).to.deep.equal([]);
  });
});
