import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { expect } from 'chai';
import { readProfiles, saveProfile } from '../src/context/profiles.js';
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

  // Regression: a space behind the address was a defect of the program.
  it('may be surrounded by spaces and line breaks in POSTRIDER_TOKEN, and so may the address', async () => {
    const env = { POSTRIDER_URL: ` ${api.url} `, POSTRIDER_TOKEN: ' prt_1\n' };
    expect(await runIn({ env }, 'whoami')).to.include({ code: 0 });
    expect(new Set(api.authorizations)).to.deep.equal(new Set(['Bearer prt_1']));
  });
});

describe('the profile', () => {
  let folder: string;
  let staging: FakeApi;
  let production: FakeApi;
  let env: NodeJS.ProcessEnv;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'postrider-cli-'));
    [staging, production] = await Promise.all([startAnyApi(), startAnyApi()]);
    env = { XDG_CONFIG_HOME: folder, POSTRIDER_TOKEN: 'prt_production' };
    await saveProfile(env, 'staging', { url: staging.url, token: 'prt_staging' });
  });
  afterEach(async () => {
    for (const api of [staging, production]) api.stop();
    await rm(folder, { recursive: true });
  });
  const startAnyApi = () => startFakeApi(() => ({ body: {} }));
  const sentTo = ({ authorizations }: FakeApi) => [...new Set(authorizations)];

  // Regression: the token of the environment was sent to the address of the profile.
  it('of --profile takes precedence over the variables', async () => {
    const both = { ...env, POSTRIDER_URL: production.url };
    for (const variables of [env, both]) {
      expect(await runIn({ env: variables }, 'whoami', '--profile', 'staging')).to.include({ code: 0 });
    }
    expect(sentTo(staging)).to.deep.equal(['Bearer prt_staging']);
    expect(sentTo(production)).to.deep.equal([]);
    expect(await runIn({ env: both }, 'whoami')).to.include({ code: 0 });
    expect(sentTo(production)).to.deep.equal(['Bearer prt_production']);
  });

  it('of --profile must be stored, whatever the variables are', async () => {
    const { code, err } = await runIn(
      { env: { ...env, POSTRIDER_URL: production.url } },
      ...['whoami', '--profile', 'other'],
    );
    expect(code).to.equal(3);
    expect(err).to.deep.equal([
      'NotSignedIn: profile "other" has no token.',
      'Sign in with `postrider login --profile other`; POSTRIDER_TOKEN is not used with --profile.',
    ]);
    expect(sentTo(production)).to.deep.equal([]);
  });

  const PROMPT = 'Paste an API token or the URL of a portal link, which is not shown, then press Enter:';
  const login = (stdin: ReturnType<typeof stdinOf>, ...options: readonly string[]) =>
    runIn({ env, stdin }, 'login', '--url', staging.url, ...options);
  /** A terminal, whose input does not end. A person types once it shows nothing, which is in raw mode. */
  const typed = (text: string): Readable & { readonly isRaw: boolean } => {
    const stdin = Object.assign(new PassThrough(), { isTTY: true, isRaw: false });
    const setRawMode = (isRaw: boolean) => {
      stdin.isRaw = isRaw;
      if (isRaw) setImmediate(() => stdin.write(`${text}\r`));
    };
    return Object.assign(stdin, { setRawMode });
  };

  // Regression: it asked for a token, and stored that of the environment without reading one. A terminal showed the token.
  for (const [name, stdin, options, token, prompts] of [
    ['reads a token that is passed by a pipe', () => stdinOf('prt_1\n'), [], 'prt_1', []],
    ['uses POSTRIDER_TOKEN if the input is empty', () => stdinOf(''), [], 'prt_production', []],
    ['uses POSTRIDER_TOKEN in a terminal', () => typed('prt_1'), [], 'prt_production', []],
    ['asks for a token with --profile', () => typed('prt_1'), ['--profile', 'a'], 'prt_1', [PROMPT]],
  ] as const) {
    it(`is stored by login, which ${name}`, async () => {
      const input = stdin();
      const { code, notes } = await login(input, ...options);
      expect(code).to.equal(0);
      expect(sentTo(staging)).to.deep.equal([`Bearer ${token}`]);
      expect(notes).to.deep.equal(prompts);
      if ('isRaw' in input) expect(input.isRaw).to.equal(false);
      const profile = (await readProfiles(env))[options[1] ?? 'default'];
      expect(profile).to.deep.equal({ url: staging.url, token });
    });
  }

  // Regression: the token of the link was sent to the address in the environment, and stored with it.
  it('has the address of the portal link, whatever POSTRIDER_URL is', async () => {
    const both = { ...env, POSTRIDER_URL: production.url };
    const link = `${staging.url}/console/#token=ptl_1`;
    for (const [options, api] of [
      [[], staging],
      [['--url', production.url], production],
    ] as const) {
      expect(await runIn({ env: both, stdin: stdinOf(link) }, 'login', ...options)).to.include({ code: 0 });
      expect(sentTo(api)).to.deep.equal(['Bearer ptl_1']);
      expect((await readProfiles(env)).default).to.deep.equal({ url: api.url, token: 'ptl_1' });
    }
    expect(await runIn({ env: both, stdin: stdinOf('prt_1') }, 'login')).to.include({ code: 0 });
    expect((await readProfiles(env)).default?.url).to.equal(production.url);
  });

  it('is not stored by login with --profile if the input is empty, whatever the variables are', async () => {
    expect(await login(stdinOf(''), '--profile', 'a')).to.include({ code: 3 });
    expect(sentTo(staging)).to.deep.equal([]);
  });
});
