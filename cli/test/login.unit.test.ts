import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { saveProfile } from '../src/context/profiles.js';
import { type FakeApi, runIn, startFakeApi } from './fake-api.js';

const stdinOf = (text: string) => Readable.from([text]);

describe('the token', () => {
  let folder: string;
  let api: FakeApi;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'postrider-cli-'));
    api = await startFakeApi(() => ({ body: {} }));
  });
  after(async () => {
    api.stop();
    await rm(folder, { recursive: true });
  });

  // Regression: the error of `fetch`, with the token, was shown as a defect of the program.
  for (const [name, broken] of Object.entries({
    'a line break': 'prt_secret\nprt_secret',
    'a character beyond Latin-1': 'prt_secret…',
    'a space': 'prt_secret prt_secret',
    quotes: '"prt_secret"',
  })) {
    it(`is refused without being shown if it contains ${name}`, async () => {
      const env = { XDG_CONFIG_HOME: folder, POSTRIDER_URL: api.url };
      await saveProfile(env, 'default', { url: api.url, token: broken });
      for (const [source, run] of Object.entries({
        POSTRIDER_TOKEN: () => runIn({ env: { ...env, POSTRIDER_TOKEN: broken } }, 'whoami'),
        'the token of profile "default"': () => runIn({ env }, 'whoami'),
        'the input': () => runIn({ env, stdin: stdinOf(broken) }, 'login'),
      })) {
        const { code, out, err } = await run();
        expect(code, source).to.equal(3);
        expect(err[0]).to.equal(
          `InvalidToken: ${source} is not a token: one has letters, digits and ._~+/=- only.`,
        );
        expect([...out, ...err].join('\n')).not.to.match(/prt_secret|defect/);
      }
      expect(api.authorizations).to.deep.equal([]);
    });
  }

  it('may be surrounded by spaces and line breaks in POSTRIDER_TOKEN', async () => {
    const env = { POSTRIDER_URL: api.url, POSTRIDER_TOKEN: ' prt_1\n' };
    expect(await runIn({ env }, 'whoami')).to.include({ code: 0 });
    expect(new Set(api.authorizations)).to.deep.equal(new Set(['Bearer prt_1']));
  });
});
