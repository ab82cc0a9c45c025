import { expect } from 'chai';
import { Unavailable } from '../stack.js';
import { describeContainers, kafkaEnvironment } from './describe-containers.js';
import { chooseImages, cleanerImages, provideImages } from './images.js';
import { startContainers } from './start-containers.js';

describe('the images of the containers', () => {
  it('can each be replaced by a variable', () => {
    const usual = chooseImages({});
    const env = {
      POSTRIDER_KAFKA_IMAGE: 'mirror/kafka',
      POSTRIDER_MONGODB_IMAGE: 'mirror/mongo',
      POSTRIDER_REGISTRY_IMAGE: 'mirror/registry',
    };
    expect(usual.kafka).to.match(/^apache\/kafka:4\./);
    expect(chooseImages(env)).to.deep.equal({
      kafka: 'mirror/kafka',
      mongod: 'mirror/mongo',
      registry: 'mirror/registry',
    });
    expect(cleanerImages({ RYUK_CONTAINER_IMAGE: 'mirror/ryuk' })).to.deep.equal(['mirror/ryuk']);
    expect(cleanerImages({ TESTCONTAINERS_RYUK_DISABLED: 'true' })).to.deep.equal([]);
  });

  /** A daemon that has some images and can pull others after a delay. */
  function fakeClient(present: string[], pullable: string[], pullMs = 0) {
    const there = new Set(present);
    const pulled: string[] = [];
    const image = {
      exists: async (name: { string: string }) => there.has(name.string),
      pull: async (name: { string: string }) => {
        pulled.push(name.string);
        await new Promise((resolve) => setTimeout(resolve, pullMs));
        if (!pullable.includes(name.string)) throw new Error('no route to the image registry');
        there.add(name.string);
      },
    };
    return { client: { image } as unknown as Parameters<typeof provideImages>[0], pulled };
  }
  const lines: string[] = [];
  const report = (line: string) => lines.push(line);

  it('are not pulled when they are present', async () => {
    const { client, pulled } = fakeClient(['a:1', 'b:1'], []);
    await provideImages(client, ['a:1', 'b:1'], report);
    expect(pulled).to.deep.equal([]);
  });

  it('are pulled when they are missing', async () => {
    const { client, pulled } = fakeClient(['a:1'], ['b:1']);
    await provideImages(client, ['a:1', 'b:1'], report);
    expect(pulled).to.deep.equal(['b:1']);
    expect(lines.at(-1)).to.equal('Pulling b:1 (for at most 60 s).');
  });

  it('make the provider unavailable, with the reason, when they cannot be pulled', async () => {
    const { client } = fakeClient(['a:1'], []);
    const error = await provideImages(client, ['a:1', 'b:1'], report).catch((reason: Error) => reason);
    expect(error).to.be.instanceOf(Unavailable);
    expect((error as Error).message)
      .to.contain('missing b:1')
      .and.contain('no route to the image registry');
  });

  it('make the provider unavailable when pulling takes too long', async () => {
    const { client } = fakeClient([], ['b:1'], 1_000);
    const error = await provideImages(client, ['b:1'], report, 10).catch((reason: Error) => reason);
    expect(error).to.be.instanceOf(Unavailable);
    expect((error as Error).message).to.contain('not pulled within 0.01 s: it took too long');
  });
});

describe('the containers', () => {
  const ports = { kafka: 1, kafkaController: 2, mongod: 3, registry: 4 };

  it("get Kafka's settings in the image's format", () => {
    expect(kafkaEnvironment({ 'log.dirs': '/x', 'auto.create.topics.enable': 'false' })).to.deep.equal({
      KAFKA_LOG_DIRS: '/x',
      KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
    });
  });

  it('are reached at their published ports', () => {
    const plans = describeContainers('127.0.0.1', ports);
    expect(plans.map(({ server, port }) => [server, port.host])).to.deep.equal([
      ['kafka', 1],
      ['mongod', 3],
      ['registry', 4],
    ]);
    expect(plans[0]?.environment.KAFKA_ADVERTISED_LISTENERS).to.equal('PLAINTEXT://127.0.0.1:1');
  });
});

describe('the containers provider', () => {
  it('is unavailable when no Docker daemon answers', async () => {
    const env = process.env.DOCKER_HOST;
    process.env.DOCKER_HOST = 'tcp://127.0.0.1:1';
    const error = await startContainers({ report: () => {} }).catch((reason: Error) => reason);
    if (env === undefined) delete process.env.DOCKER_HOST;
    else process.env.DOCKER_HOST = env;
    expect(error).to.be.instanceOf(Unavailable);
    expect((error as Error).message).to.match(/^no Docker daemon/);
  }).timeout(10_000);
});
