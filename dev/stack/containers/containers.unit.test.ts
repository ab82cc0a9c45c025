import { expect } from 'chai';
import { Unavailable } from '../stack.js';
import { describeContainers } from './describe-containers.js';
import { chooseImages, cleanerImages, provideImages } from './images.js';
import { startContainers } from './start-containers.js';

describe('container images', () => {
  it('can each be replaced by a variable', () => {
    const env = {
      POSTRIDER_KAFKA_IMAGE: 'mirror/kafka',
      POSTRIDER_MONGODB_IMAGE: 'mirror/mongo',
      POSTRIDER_REGISTRY_IMAGE: 'mirror/registry',
    };
    const images = { kafka: 'mirror/kafka', mongod: 'mirror/mongo', registry: 'mirror/registry' };
    expect(chooseImages({}).kafka).to.match(/^apache\/kafka:4\./);
    expect(chooseImages(env)).to.deep.equal(images);
    expect(cleanerImages({ RYUK_CONTAINER_IMAGE: 'mirror/ryuk' })).to.deep.equal(['mirror/ryuk']);
    expect(cleanerImages({ TESTCONTAINERS_RYUK_DISABLED: 'true' })).to.deep.equal([]);
  });

  /** Provides the images a:1 and b:1 from a daemon that has some of them and can pull others after a delay. */
  async function provide(present: string[], pullable: string[], pullMs = 0) {
    const there = new Set(present);
    const pulled: string[] = [];
    const lines: string[] = [];
    const image = {
      exists: async (name: { string: string }) => there.has(name.string),
      pull: async (name: { string: string }) => {
        pulled.push(name.string);
        await new Promise((resolve) => setTimeout(resolve, pullMs));
        if (!pullable.includes(name.string)) throw new Error('no route to the image registry');
        there.add(name.string);
      },
    };
    const client = { image } as unknown as Parameters<typeof provideImages>[0];
    const provided = provideImages(client, ['a:1', 'b:1'], (line) => lines.push(line), 100);
    const error: unknown = await provided.catch((reason) => reason);
    return { pulled, lines, error };
  }

  for (const { title, present, pullable, pullMs, pulled, problem } of [
    { title: 'are not pulled when they are present', present: ['a:1', 'b:1'], pulled: [] },
    { title: 'are pulled when they are missing', present: ['a:1'], pullable: ['b:1'], pulled: ['b:1'] },
    {
      title: 'make the provider unavailable when they cannot be pulled',
      present: ['a:1'],
      pulled: ['b:1'],
      problem: 'missing b:1, not pulled within 0.1 s: no route to the image registry',
    },
    {
      title: 'make the provider unavailable when pulling takes too long',
      present: ['a:1'],
      pullable: ['b:1'],
      pullMs: 1_000,
      pulled: ['b:1'],
      problem: 'missing b:1, not pulled within 0.1 s: it took too long',
    },
  ]) {
    it(title, async () => {
      const result = await provide(present, pullable ?? [], pullMs);
      expect(result.pulled).to.deep.equal(pulled);
      expect(result.lines).to.deep.equal(pulled.map((name) => `Pulling ${name} (for at most 0.1 s).`));
      expect((result.error as Error | undefined)?.message).to.equal(problem);
      if (problem) expect(result.error).to.be.instanceOf(Unavailable);
    });
  }
});

describe('containers', () => {
  it("are reached at their published ports, with Kafka's settings in the image's format", () => {
    const ports = { kafka: 1, kafkaController: 2, mongod: 3, registry: 4 };
    const { kafka, mongod, registry } = describeContainers('127.0.0.1', ports);
    expect([kafka, mongod, registry].map(({ port }) => port.host)).to.deep.equal([1, 3, 4]);
    expect(kafka.environment).to.include({
      KAFKA_ADVERTISED_LISTENERS: 'PLAINTEXT://127.0.0.1:1',
      KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
    });
  });
});

describe('containers provider', () => {
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
