import { expect } from 'chai';
import { createCustomCodec } from '../../src/kafka/custom-codec.js';
import { Undecodable } from '../../src/kafka/undecodable.js';
import { frame } from '../../src/kafka/wire-format.js';

describe('the codec of custom events', () => {
  const registry = {
    idOf: async () => 1,
    subjectsOf: async () => ['workspace.events-invoice.paid'],
    register: async () => 1,
    setCompatibility: async () => true,
  };
  const { decode } = createCustomCodec(registry, '', async () => {});
  const decoded = (json: string) => decode('invoice.paid', frame(1, json)).catch((error: unknown) => error);
  const nested = (depth: number) => `{"list":${'['.repeat(depth)}${']'.repeat(depth)}}`;

  it('decodes a value of up to 1,000 levels', async () => {
    expect(await decoded(nested(999))).to.have.property('list');
  });

  // Regression: a check for unique items compared such values beyond the stack, and the event was read again for ever.
  it('rejects a value with more levels for ever, so that its event goes to the quarantine', async () => {
    for (const depth of [1_000, 500_000])
      expect(await decoded(nested(depth)))
        .to.be.instanceOf(Undecodable)
        .with.property('message', 'the value is nested deeper than 1000 levels');
  });

  it('rejects a value that is no JSON', async () => {
    expect(await decoded('{'))
      .to.be.instanceOf(Undecodable)
      .with.property('message', 'the value is not JSON');
  });
});
