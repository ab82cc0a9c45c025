import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { createCustomCodec } from '../../src/kafka/custom-codec.js';
import { createRegistryClient } from '../../src/kafka/registry-client.js';
import { createSchemaCodec } from '../../src/kafka/schema-registry.js';
import { Undecodable } from '../../src/kafka/undecodable.js';
import { frame } from '../../src/kafka/wire-format.js';

describe('the codec of custom events', () => {
  const registry = {
    idOf: async () => 1,
    subjectsOf: async () => ['workspace.events-invoice.paid'],
    register: async () => 1,
    setCompatibility: async () => true,
  };
  const { decode } = createCustomCodec(registry, '', { checkAgain: async () => {} });
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

  // Regression: schemas that a process had found at its start counted as a proof, and valid events went to the quarantine.
  it('does not reject an event for ever because the registry lost its data after the start', async () => {
    let hasData = true;
    const server = createServer((_, response) => {
      response.writeHead(hasData ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(hasData ? { id: 1 } : { error_code: 40401, message: 'not found' }));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const builtIn = createSchemaCodec(host, '');
      await builtIn.check();
      const codec = createCustomCodec(createRegistryClient(host, {}), '', builtIn);
      hasData = false;
      const error = await codec.decode('invoice.paid', frame(1, '{}')).catch((one: unknown) => one);
      expect(error).to.be.instanceOf(Error).and.not.instanceOf(Undecodable);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
