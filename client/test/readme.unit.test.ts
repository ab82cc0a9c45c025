import { readFileSync } from 'node:fs';
import { expect } from 'chai';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

describe('client README', () => {
  const blocks = [...read('README.md').matchAll(/^```ts (\S+)\n([\s\S]*?)^```/gm)];

  it('contains every example', () => {
    expect(blocks.map(([, path]) => path)).to.have.members([
      'examples/call.ts',
      'examples/replay.ts',
      'examples/watch.ts',
      'examples/receive.ts',
      'examples/receive-express.ts',
      'examples/receive-fastify.ts',
      'examples/receive-fetch.ts',
      'examples/fetch-through.ts',
      'examples/publish.ts',
      'examples/receive-custom.ts',
    ]);
  });

  for (const [, path, code] of blocks) {
    it(`contains ${path} exactly as compiled`, () => {
      expect(code).to.equal(read(path!));
    });
  }
});
