import { readFileSync } from 'node:fs';
import { expect } from 'chai';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

describe('the README of the client', () => {
  const blocks = [...read('README.md').matchAll(/^```ts (\S+)\n([\s\S]*?)^```/gm)];

  it('shows the examples', () => {
    expect(blocks.map(([, path]) => path)).to.have.members([
      'examples/call.ts',
      'examples/replay.ts',
      'examples/receive.ts',
    ]);
  });

  for (const [, path, code] of blocks) {
    it(`shows ${path} as the compiler has seen it`, () => {
      expect(code).to.equal(read(path!));
    });
  }
});
