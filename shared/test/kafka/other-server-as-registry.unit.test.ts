import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { createRegistryClient } from '../../src/kafka/registry-client.js';
import { createSchemaCodec } from '../../src/kafka/schema-registry.js';

describe('a server that is no schema registry and answers every request with a page', () => {
  const server = createServer((_, response) => response.end('<html>Sign in</html>'));
  let host: string;
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const failureOf = (work: Promise<unknown>) =>
    work.then(
      () => 'none',
      ({ message }: Error) => message,
    );

  it('is named as the cause when schemas are registered', async () => {
    expect(await failureOf(createSchemaCodec(host, '').register())).to.include(
      'its answer is not that of a schema registry: check SCHEMA_REGISTRY_URL',
    );
  });

  it('fails the check of a start', async () => {
    expect(await failureOf(createSchemaCodec(host, '').check())).to.include(
      'its answer is not that of a schema registry: check SCHEMA_REGISTRY_URL',
    );
  });

  it('is named as the cause when custom types are registered', async () => {
    expect(await failureOf(createRegistryClient(host, {}).register('invoice.paid', {}))).to.include(
      'not that of a schema registry: check SCHEMA_REGISTRY_URL',
    );
  });
});
