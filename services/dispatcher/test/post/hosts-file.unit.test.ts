import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createHostsFile, parseHosts } from '../../src/post/hosts-file.js';

describe('hosts file', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hosts-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('resolves names in any case and skips invalid lines', () => {
    const entries = parseHosts(
      '# a comment\n127.0.0.1\tlocalhost Hook.test # another\r\n::1 hook.test\nnonsense x.test\n\n10.0.0.1\n',
    );
    expect([...entries]).to.deep.equal([
      ['localhost', [{ address: '127.0.0.1', family: 4 }]],
      [
        'hook.test',
        [
          { address: '127.0.0.1', family: 4 },
          { address: '::1', family: 6 },
        ],
      ],
    ]);
  });

  it('reads a changed file again and treats a removed one as empty', async () => {
    const path = join(folder, 'hosts');
    const resolve = createHostsFile(path);
    expect(await resolve('hook.test')).to.deep.equal([]);
    await writeFile(path, '127.0.0.1 hook.test\n');
    expect(await resolve('hook.test')).to.deep.equal([{ address: '127.0.0.1', family: 4 }]);
    await writeFile(path, '127.0.0.22 hook.test\n');
    expect(await resolve('hook.test')).to.deep.equal([{ address: '127.0.0.22', family: 4 }]);
    await rm(path);
    expect(await resolve('hook.test')).to.deep.equal([]);
  });
});
