import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { PROVIDERS, type ProviderName, parseProvider, type Stack, Unavailable } from './stack.js';
import { startServers } from './start-servers.js';
import { startStack } from './start-stack.js';

const report = () => {};

/** Providers that record their calls; those with an error fail. */
function fakeProviders(errors: Partial<Record<ProviderName, Error>>) {
  const called: ProviderName[] = [];
  const provider = (name: ProviderName) => ({
    advice: '',
    async start() {
      called.push(name);
      if (errors[name]) throw errors[name];
      return { provider: name } as Stack;
    },
  });
  const providers = {
    external: provider('external'),
    containers: provider('containers'),
    native: provider('native'),
  };
  return { called, providers };
}

async function failureOf(promise: Promise<unknown>): Promise<Error> {
  const error = await promise.catch((reason: Error) => reason);
  expect(error).to.be.instanceOf(Error);
  return error as Error;
}

describe('starting a stack', () => {
  it('uses the first available provider and reports why it skips one that was expected to work', async () => {
    const { called, providers } = fakeProviders({
      external: new Unavailable('not set'),
      containers: new Unavailable('no images', 'report'),
    });
    const lines: string[] = [];
    const stack = await startStack({ report: (line) => lines.push(line) }, providers);
    expect(stack.provider).to.equal('native');
    expect(called).to.deep.equal(['external', 'containers', 'native']);
    expect(lines).to.deep.equal(['Not using containers: no images']);
  });

  it('describes the three ways and why each failed when none is available', async () => {
    const { providers } = fakeProviders({
      external: new Unavailable('not set'),
      containers: new Unavailable('no daemon'),
      native: new Unavailable('no java'),
    });
    const { message } = await failureOf(startStack({ report }, providers));
    expect(message).to.contain('KAFKA_BROKERS, MONGODB_URI and SCHEMA_REGISTRY_URL');
    expect(message).to.contain('not possible here: not set');
    expect(message).to.contain('Docker').and.contain('not possible here: no daemon');
    expect(message).to.contain('Java 17').and.contain('not possible here: no java');
  });

  it('does not try the next provider after a failure', async () => {
    const { called, providers } = fakeProviders({ external: new Error('broken') });
    expect((await failureOf(startStack({ report }, providers))).message).to.equal('broken');
    expect(called).to.deep.equal(['external']);
  });

  it('tries only the requested provider', async () => {
    const { called, providers } = fakeProviders({ containers: new Unavailable('no daemon') });
    const { message } = await failureOf(startStack({ report, provider: 'containers' }, providers));
    expect(message).to.equal('The containers stack cannot run here: no daemon');
    expect(called).to.deep.equal(['containers']);
  });

  it('parses the names of providers', () => {
    for (const provider of PROVIDERS) expect(parseProvider(provider)).to.equal(provider);
    expect(parseProvider(undefined)).to.equal(undefined);
    expect(parseProvider('')).to.equal(undefined);
    expect(() => parseProvider('docker')).to.throw('"docker" is no provider');
  });
});

describe('starting the servers', () => {
  it('stops each server once, then releases their data', async () => {
    const calls: string[] = [];
    const start = async (name: string) => ({ stop: async () => calls.push(name) });
    const { stop } = await startServers(start, () => calls.push('release'));
    await Promise.all([stop(), stop()]);
    expect(calls).to.deep.equal(['kafka', 'mongod', 'registry', 'release']);
  });

  it('cancels the other starts and stops the running servers when one fails', async () => {
    const calls: string[] = [];
    const start = async (name: string, signal: AbortSignal) => {
      if (name === 'mongod') throw new Error('mongod failed');
      if (name === 'registry') await sleep(10_000, undefined, { signal });
      return { stop: async () => calls.push(name) };
    };
    const { message } = await failureOf(startServers(start, () => calls.push('release')));
    expect(message).to.equal('mongod failed');
    expect(calls).to.deep.equal(['kafka']);
  });
});

describe('external provider', () => {
  const start = (env: NodeJS.ProcessEnv) => startStack({ report, provider: 'external', env });

  it('uses the configured servers and stops nothing', async () => {
    const stack = await start({
      KAFKA_BROKERS: 'one:9092, two:9092,',
      MONGODB_URI: 'mongodb://db/postrider',
      SCHEMA_REGISTRY_URL: 'http://registry/apis/ccompat/v7/',
    });
    expect(stack).to.deep.include({
      provider: 'external',
      kafkaBrokers: ['one:9092', 'two:9092'],
      mongodbUri: 'mongodb://db/postrider',
      schemaRegistryUrl: 'http://registry/apis/ccompat/v7',
      pids: {},
    });
    await stack.stop();
  });

  it('is unavailable without any of the three variables', async () => {
    const { cause } = await failureOf(start({ KAFKA_BROKERS: ' ' }));
    expect(cause).to.be.instanceOf(Unavailable);
  });

  it('fails with the missing variables when only some are set', async () => {
    const error = await failureOf(startStack({ report, env: { MONGODB_URI: 'mongodb://db/postrider' } }));
    expect(error.message).to.match(/missing: KAFKA_BROKERS, SCHEMA_REGISTRY_URL\.$/);
  });
});
