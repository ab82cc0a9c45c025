import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { InvalidId, PostriderError, type ProblemTag, UnexpectedAnswer } from '@postrider/client';
import { expect } from 'chai';
import { EXIT_CODES } from '../src/context/exit-codes.js';
import { explainError } from '../src/context/explain-error.js';
import { createOutput } from '../src/context/output.js';
import { parseCredential } from '../src/context/parse-credential.js';
import { parseHeaders } from '../src/context/parse-headers.js';
import { parseSince, several } from '../src/context/parse-options.js';
import { profilesPath, readProfiles, saveProfile } from '../src/context/profiles.js';
import { alignTable } from '../src/context/table.js';
import { createTerminal } from '../src/context/terminal.js';

/** No command uses the operations that refuse with these, or sends what they refuse. */
type OfNoCommand =
  | 'InvalidScope'
  | 'InsufficientScope'
  | 'NotAMember'
  | 'ScopeExceedsAuthority'
  | 'MemberNotFound'
  | 'InvitationNotFound'
  | 'TokenNotFound'
  | 'PortalLinkNotFound'
  | 'LastOwner'
  | 'AlreadyMember'
  | 'InvitationNotAcceptable'
  | 'TooManyTokens'
  | 'UnsupportedMediaType';

/** The status of each refusal that commands can get, and the exit code. */
type Refusals = Readonly<Record<Exclude<ProblemTag, OfNoCommand>, readonly [status: number, code: number]>>;

const REFUSALS: Refusals = {
  InvalidRequest: [400, 1],
  InvalidWebhookUrl: [400, 1],
  UnknownEventType: [400, 1],
  Unauthorized: [401, 3],
  Forbidden: [403, 3],
  ReservedEventType: [403, 1],
  WorkspaceNotFound: [404, 4],
  EndpointNotFound: [404, 4],
  DeliveryNotFound: [404, 4],
  EventTypeNotFound: [404, 4],
  EventNotFound: [404, 4],
  ReplayJobNotFound: [404, 4],
  ConformanceCheckNotFound: [404, 4],
  RouteNotFound: [404, 4],
  MethodNotAllowed: [405, 1],
  EndpointDisabled: [409, 1],
  DeliveryNotReplayable: [409, 1],
  ReplayJobEnded: [409, 1],
  TooManyReplayJobs: [409, 1],
  TooManyEndpoints: [409, 1],
  UpgradeInProgress: [409, 1],
  IdempotencyKeyInUse: [409, 5],
  PayloadTooLarge: [413, 1],
  IdempotencyKeyReused: [422, 1],
  TooManyStreams: [429, 5],
  RateLimited: [429, 5],
  Internal: [500, 1],
  StreamsDisabled: [503, 1],
  Unavailable: [503, 5],
};

const problem = (status: number, tag: ProblemTag = 'EndpointDisabled') =>
  new PostriderError({
    type: `urn:postrider:problem:${tag}`,
    title: 'The webhook endpoint is disabled',
    status,
    tag,
    detail: 'The endpoint is disabled.',
    traceId: 'a'.repeat(32),
    errors: [{ path: 'url', message: 'is not allowed' }],
  });

describe('explainError', () => {
  it('names the tag, the cause, the mistakes, the next step and the trace id', () => {
    const { lines, exitCode } = explainError(problem(409));
    expect(lines).to.deep.equal([
      'EndpointDisabled: The endpoint is disabled.',
      '  url is not allowed',
      'Enable it with `postrider endpoints update ID --enable`.',
      `trace id ${'a'.repeat(32)}`,
    ]);
    expect(exitCode).to.equal(EXIT_CODES.refused);
  });

  for (const [tag, [status, code]] of Object.entries(REFUSALS)) {
    it(`has the next step and the exit code of ${tag}`, () => {
      const { lines, exitCode } = explainError(problem(status, tag as ProblemTag));
      expect(exitCode).to.equal(code);
      if (tag === 'Internal') expect(lines.at(-2)).to.match(/^Report it to the operator/);
      else expect(lines.at(-2)).not.to.match(/^Report it/);
    });
  }

  it('has an exit code for each kind of failure', () => {
    const codes = [401, 403, 404, 429, 503, 500].map((status) => explainError(problem(status)).exitCode);
    expect(codes).to.deep.equal([3, 3, 4, 5, 5, 1]);
  });

  it('asks to try again when a proxy answers for an api that is not available', () => {
    const answers = [429, 502, 503, 504].map((status) =>
      explainError(new UnexpectedAnswer(status, '<html>')),
    );
    expect(answers.map(({ exitCode }) => exitCode)).to.deep.equal([5, 5, 5, 5]);
    expect(answers[0]!.lines).to.deep.equal([
      'UnexpectedAnswer: the server answered 429 with something that is not from Postrider.',
      'Wait, then try again.',
    ]);
    const { lines, exitCode } = explainError(new UnexpectedAnswer(404, '<html>'));
    expect(exitCode).to.equal(EXIT_CODES.refused);
    expect(lines[1]).to.equal('Check POSTRIDER_URL: it is the address of the api, without a path.');
  });

  it('names the address to which the server redirects', () => {
    const { lines, exitCode } = explainError(
      new UnexpectedAnswer(301, '', 'https://hooks.example.com/session'),
    );
    expect(exitCode).to.equal(EXIT_CODES.refused);
    expect(lines).to.deep.equal([
      'UnexpectedAnswer: the server redirects to https://hooks.example.com/session (status 301).',
      'Check POSTRIDER_URL: it is the address of the api, without a path.',
    ]);
  });

  it('calls a server that does not answer in time unreachable', () => {
    const error = new DOMException('no response within 30000 ms', 'TimeoutError');
    expect(explainError(error)).to.deep.include({ exitCode: EXIT_CODES.unavailable });
    expect(explainError(error).lines[0]).to.equal('Unreachable: no response within 30000 ms');
  });

  it('names the reason of a failed connection', () => {
    const error = new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:1') });
    expect(explainError(error)).to.deep.include({ exitCode: EXIT_CODES.unavailable });
    expect(explainError(error).lines[0]).to.equal('Unreachable: connect ECONNREFUSED 127.0.0.1:1');
  });

  it('asks for an id where an empty one is given', () => {
    const { lines, exitCode } = explainError(new InvalidId('deliveryId cannot be ""'));
    expect(lines[0]).to.equal('InvalidRequest: deliveryId cannot be ""');
    expect(exitCode).to.equal(EXIT_CODES.misused);
  });

  it('calls nothing but a failed connection unreachable', () => {
    const { lines, exitCode } = explainError(new TypeError('x is not a function'));
    expect(lines).to.deep.equal([
      'Internal: x is not a function',
      'This is a defect of `postrider`: report it with the output of `postrider --version`.',
    ]);
    expect(exitCode).to.equal(EXIT_CODES.refused);
  });
});

describe('options', () => {
  it('reads durations and times of the past', () => {
    expect(parseSince('24h', Date.parse('2026-03-02T00:00:00Z'))).to.equal('2026-03-01T00:00:00.000Z');
    expect(parseSince('2026-03-01')).to.equal('2026-03-01T00:00:00.000Z');
    for (const text of ['soon', '30', '1', 'March 1', '2026-13-01', '2026-03-01T', '24h ago']) {
      expect(() => parseSince(text), text).to.throw('duration');
    }
  });

  // Regression: February 30th was read as March 2nd.
  it('refuses days that do not exist', () => {
    for (const text of ['2026-02-30', '2026-02-29T12:00', '2026-04-31T12:00Z', '2026-02-30T23:00+02:00']) {
      expect(() => parseSince(text), text).to.throw('duration');
    }
    expect(parseSince('2028-02-29')).to.equal('2028-02-29T00:00:00.000Z');
    expect(parseSince('2026-03-01T00:30+02:00')).to.equal('2026-02-28T22:30:00.000Z');
  });

  it('takes times without a zone as UTC, as they are shown', () => {
    const zone = process.env.TZ;
    process.env.TZ = 'America/New_York';
    try {
      for (const text of ['2026-03-01T12:00', '2026-03-01 12:00:00.000', '2026-03-01T14:00:00+02:00']) {
        expect(parseSince(text), text).to.equal('2026-03-01T12:00:00.000Z');
      }
    } finally {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    }
  });

  it('collects values that are separated or repeated', () => {
    expect(several('a, b', ['c'])).to.deep.equal(['c', 'a', 'b']);
    expect(() => several('a,,b')).to.throw('empty');
  });

  it('reads a token, and token and address of a portal link', () => {
    expect(parseCredential(' prt_1\n')).to.deep.equal({ token: 'prt_1', url: null });
    expect(parseCredential('https://hooks.example.com/console/#token=ptl_1')).to.deep.equal({
      token: 'ptl_1',
      url: 'https://hooks.example.com',
    });
  });

  it('reads headers from JSON and from lines', () => {
    const expected = { 'webhook-id': 'whd_1', 'x-a': 'b: c' };
    expect(parseHeaders('{"Webhook-Id": "whd_1", "x-a": "b: c"}', 'file')).to.deep.equal(expected);
    expect(parseHeaders('POST / HTTP/1.1\r\nWebhook-Id: whd_1\r\nx-a: b: c\r\n', 'file')).to.deep.equal(
      expected,
    );
    expect(() => parseHeaders('{"a', 'file')).to.throw('file is not JSON: ');
  });
});

describe('profiles', () => {
  it('that cannot be read or written are a mistake of this machine', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'postrider-')), 'file');
    await writeFile(file, '');
    const nowhere = { XDG_CONFIG_HOME: file };
    const profile = { url: 'http://127.0.0.1', token: 'prt_1' };
    for (const failing of [readProfiles(nowhere), saveProfile(nowhere, 'a', profile)]) {
      const { lines, exitCode } = explainError(await failing.catch((error: unknown) => error));
      expect(lines[0]).to.match(/^InvalidProfiles: .*profiles\.json cannot be (read|written): ENOTDIR/);
      expect(exitCode).to.equal(EXIT_CODES.misused);
    }
    const folder = dirname(file);
    await mkdir(join(folder, 'postrider'));
    await writeFile(profilesPath({ XDG_CONFIG_HOME: folder }), '{');
    const broken = await readProfiles({ XDG_CONFIG_HOME: folder }).catch((error: unknown) => error);
    expect(explainError(broken).lines[0]).to.match(/^InvalidProfiles: .*profiles\.json cannot be read: /);
    await writeFile(profilesPath({ XDG_CONFIG_HOME: folder }), '{"default": {"token": prt_secret"}}');
    const unquoted = await readProfiles({ XDG_CONFIG_HOME: folder }).catch((error: unknown) => error);
    expect(explainError(unquoted).lines[0]).to.match(/cannot be read: Unexpected token 'p'$/);
    await rm(folder, { recursive: true });
  });

  let env: NodeJS.ProcessEnv;
  before(async () => {
    env = { XDG_CONFIG_HOME: await mkdtemp(join(tmpdir(), 'postrider-cli-')) };
  });
  after(() => rm(env.XDG_CONFIG_HOME!, { recursive: true }));

  it('are readable by their owner only, and are stored and removed one by one', async () => {
    expect(await readProfiles(env)).to.deep.equal({});
    await saveProfile(env, 'one', { url: 'http://a', token: 'prt_1' });
    await saveProfile(env, 'two', { url: 'http://b', token: 'prt_2' });
    expect((await stat(profilesPath(env))).mode & 0o777).to.equal(0o600);
    await saveProfile(env, 'one', null);
    expect(await readProfiles(env)).to.deep.equal({ two: { url: 'http://b', token: 'prt_2' } });
  });
});

describe('output', () => {
  const written = async (isTTY: boolean, variables: NodeJS.ProcessEnv, format: 'json' | 'text') => {
    const lines: string[] = [];
    const stream = { isTTY, write: (text: string) => lines.push(text) } as unknown as NodeJS.WriteStream & {
      fd: 1;
    };
    const terminal = createTerminal({ env: variables, stdout: stream, stderr: stream as never });
    const columns = [
      { title: 'NAME', value: ({ name }: { name: string }) => terminal.paint('red', name) },
      { title: 'SIZE', value: () => '1' },
    ];
    await createOutput({ terminal, format }).list([{ name: 'a' }, { name: 'long' }], columns);
    return lines.join('');
  };

  it('aligns a table with a header for people, with colours unless NO_COLOR is set', async () => {
    expect(await written(true, { NO_COLOR: '1' }, 'text')).to.equal('NAME  SIZE\na     1\nlong  1\n');
    expect(await written(true, {}, 'text')).to.include('\u001b[31m');
  });

  // Regression: a table of more rows than a call takes arguments was a defect of the program.
  it('aligns tables of any length', () => {
    const rows = Array.from({ length: 200_000 }, () => ['a', '1']);
    expect(alignTable(['NAME', 'SIZE'], rows).at(-1)).to.equal('a     1');
  });

  it('aligns coloured columns with the header', async () => {
    const plain = stripVTControlCharacters(await written(true, {}, 'text'));
    expect(plain).to.equal('NAME  SIZE\na     1\nlong  1\n');
  });

  it('separates columns by tabs without header and colours when piped', async () => {
    expect(await written(false, {}, 'text')).to.equal('a\t1\nlong\t1\n');
  });

  it('prints one JSON object a line', async () => {
    expect(await written(true, {}, 'json')).to.equal('{"name":"a"}\n{"name":"long"}\n');
  });
});
