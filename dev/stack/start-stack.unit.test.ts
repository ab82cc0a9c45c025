import { expect } from 'chai';
import { useExternal } from './external.js';
import { PROVIDERS, type ProviderName, parseProvider, type Stack, Unavailable } from './stack.js';
import { startStack } from './start-stack.js';

const report = () => {};

/** Providers that record their calls. */
function fakeStarters(reasons: Partial<Record<ProviderName, Error>>) {
  const called: ProviderName[] = [];
  const starter = (provider: ProviderName) => async () => {
    called.push(provider);
    if (reasons[provider]) throw reasons[provider];
    return { provider } as Stack;
  };
  const starters = {
    external: starter('external'),
    containers: starter('containers'),
    native: starter('native'),
  };
  return { called, starters };
}

async function refusal(promise: Promise<unknown>): Promise<Error> {
  const outcome = await promise.then(
    () => undefined,
    (error: Error) => error,
  );
  if (outcome === undefined) throw new Error('it did not fail');
  return outcome;
}

describe('starting a stack', () => {
  it('uses the first available provider', async () => {
    const { called, starters } = fakeStarters({ external: new Unavailable('not set') });
    expect((await startStack({ report }, starters)).provider).to.equal('containers');
    expect(called).to.deep.equal(['external', 'containers']);
  });

  it('describes the three ways and why each failed when none is available', async () => {
    const { starters } = fakeStarters({
      external: new Unavailable('not set'),
      containers: new Unavailable('no daemon'),
      native: new Unavailable('no java'),
    });
    const { message } = await refusal(startStack({ report }, starters));
    expect(message).to.contain('KAFKA_BROKERS, MONGODB_URI and SCHEMA_REGISTRY_URL');
    expect(message).to.contain('not possible here: not set');
    expect(message).to.contain('Docker').and.contain('not possible here: no daemon');
    expect(message).to.contain('Java 17').and.contain('not possible here: no java');
  });

  it('reports why it skips a provider that was expected to work', async () => {
    const { starters } = fakeStarters({
      external: new Unavailable('not set'),
      containers: new Unavailable('no images', 'report'),
    });
    const lines: string[] = [];
    await startStack({ report: (line) => lines.push(line) }, starters);
    expect(lines).to.deep.equal(['Not using containers: no images']);
  });

  it('does not hide a failure behind the next provider', async () => {
    const { called, starters } = fakeStarters({ external: new Error('broken') });
    expect((await refusal(startStack({ report }, starters))).message).to.equal('broken');
    expect(called).to.deep.equal(['external']);
  });

  it('tries only the requested provider', async () => {
    const { called, starters } = fakeStarters({ containers: new Unavailable('no daemon') });
    const { message } = await refusal(startStack({ report, provider: 'containers' }, starters));
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

describe('the external provider', () => {
  const env = {
    KAFKA_BROKERS: 'one:9092, two:9092,',
    MONGODB_URI: 'mongodb://db/postrider',
    SCHEMA_REGISTRY_URL: 'http://registry/apis/ccompat/v7/',
  };

  it('uses the configured servers and stops nothing', async () => {
    const stack = await useExternal({ env });
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
    expect(await refusal(useExternal({ env: { KAFKA_BROKERS: ' ' } }))).to.be.instanceOf(Unavailable);
  });

  it('fails with the missing variables when only some are set', async () => {
    const error = await refusal(startStack({ report, env: { MONGODB_URI: 'mongodb://db/postrider' } }));
    expect(error).not.to.be.instanceOf(Unavailable);
    expect(error.message).to.match(/missing: KAFKA_BROKERS, SCHEMA_REGISTRY_URL\.$/);
  });
});
