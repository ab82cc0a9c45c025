import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { createSchemaCodec } from '../../src/kafka/schema-registry.js';

describe('a schema registry that accepts connections and never answers', () => {
  it('fails the check after a time limit', async () => {
    const registry = createServer(() => {}).listen(0, '127.0.0.1');
    await once(registry, 'listening');
    try {
      const host = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
      const codec = createSchemaCodec(host, '', { timeoutMs: 50 });
      const error = await codec.check().catch((one: Error) => one);
      expect(error).to.be.an('error');
      expect((error as Error).message).to.include(`the schema registry at ${host} has no schema`);
    } finally {
      registry.closeAllConnections();
      registry.close();
    }
  });
});
