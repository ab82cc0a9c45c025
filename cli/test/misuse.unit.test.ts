import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { runProgram } from '../src/run-program.js';

const PROGRAM = fileURLToPath(new URL('../../postrider.js', import.meta.url));

async function misuse(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const err: string[] = [];
  const terminal = {
    isInteractive: false,
    print: () => {},
    printError: (line: string) => void err.push(line),
    note: () => {},
    paint: (_: string, text: string) => text,
  };
  const parts = { env: { XDG_CONFIG_HOME: '/does/not/exist', ...env }, terminal, stdin: Readable.from(['']) };
  return { code: await runProgram(args, parts), err: err.join('\n') };
}

describe('a wrong command line', () => {
  for (const args of [
    ['nope'],
    ['endpoints', 'nope'],
    ['endpoints', 'list', '--nope'],
    ['endpoints', 'list', 'extra'],
    ['publish', 'invoice.paid'],
    ['listen', '--forward', 'localhost'],
    ['deliveries', '--limit', '0'],
    ['deliveries', '--follow', '--status', 'nope'],
    ['deliveries', '--status', 'delivered,held'],
  ]) {
    it(`is refused with its cause and the next step: ${args.join(' ')}`, async () => {
      const { code, err } = await misuse(args);
      expect(code).to.equal(2);
      expect(err).to.match(/^InvalidCommand: .+\n(?:.*\n)*.*`postrider COMMAND --help`/);
    });
  }

  it('is refused with the names of options that contradict each other', async () => {
    for (const [args, names] of [
      ['deliveries --failed --status delivered', ['--status', '--failed']],
      ['endpoints update whe_1 --enable --disable', ['--enable', '--disable']],
      ['endpoints update whe_1 --disable --replay-held', ['--replay-held', '--disable']],
      ['deliveries --follow --limit 5', ['--follow', '--limit']],
    ] as const) {
      const { code, err } = await misuse(args.split(' '));
      expect(code, args).to.equal(2);
      for (const name of names) expect(err.split('\n')[0]).to.include(name);
    }
  });

  it('is refused where verify has no secret', async () => {
    for (const given of [[], ['--secret', '']]) {
      const { code, err } = await misuse(['verify', '--headers', '-', '--body', '-', ...given]);
      expect(code).to.equal(2);
      expect(err).to.match(
        /^InvalidRequest: no signing secret was given\.\nGive --secret, or set WEBHOOK_SECRET/,
      );
    }
  });

  it('never replays where a dry run is asked for', async () => {
    for (const option of [['--dry-run'], ['--since', '1h'], ['--endpoint', 'whe_1'], ['--rate', '1']]) {
      const { code, err } = await misuse(['replay', 'whd_1', ...option]);
      expect(code).to.equal(2);
      expect(err).to.match(/^InvalidRequest: replay takes either/);
    }
  });

  // Regression: a URL with a password was shown, as a defect of the program.
  it('is refused for an address that cannot be used, without showing it', async () => {
    const withPassword = 'http://me:pass-1@127.0.0.1:1';
    for (const url of ['localhost', withPassword, 'https://prt_1@localhost', 'ftp://localhost']) {
      for (const [args, env] of [
        [['whoami'], { POSTRIDER_URL: url }],
        [['login', '--url', url], {}],
      ] as const) {
        const { code, err } = await misuse(args, { POSTRIDER_TOKEN: 'prt_1', ...env });
        expect(code, url).to.equal(2);
        expect(err).to.match(
          /^InvalidRequest: the address of the api is no http URL without user name and password\.\nSet POSTRIDER_URL/,
        );
      }
    }
    const { code, err } = await misuse(['listen', '--forward', withPassword]);
    expect(code).to.equal(2);
    expect(err).to.equal(
      'InvalidRequest: a URL with a user name or a password cannot be used.\nGive a URL like http://localhost:3000/hook.',
    );
  });

  // Regression: it was shown, and logs of scripts contain what a command shows.
  it('is refused for a secret that cannot sign, without showing it', async () => {
    const { code, err } = await misuse([
      'listen',
      '--forward',
      'http://localhost:3000',
      '--secret',
      'whsec_abc',
    ]);
    expect(code).to.equal(2);
    expect(err).to.equal(
      'InvalidRequest: --secret is not a signing secret.\nGive whsec_ and at least 24 bytes in Base64, or leave it out.',
    );
  });

  it('names the address where something answers that is not Postrider', async () => {
    for (const [type, text] of [
      ['text/html', '<html>'],
      ['application/json', '{}'],
    ] as const) {
      const server = createServer((_, response) =>
        response.writeHead(200, { 'content-type': type }).end(text),
      );
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const { code, err } = await misuse(['whoami'], { POSTRIDER_TOKEN: 'prt_1', POSTRIDER_URL: url });
      server.closeAllConnections();
      server.close();
      expect(err).to.match(
        /^UnexpectedAnswer: the server answered 200 with something that is not from Postrider\.\nCheck POSTRIDER_URL/,
      );
      expect(code).to.equal(1);
    }
  });
});

describe('a reader that closes the pipe', () => {
  // Regression: it was 0, so that a command that had not done all of its work seemed complete.
  it('ends the program without a message, as SIGPIPE would', () => {
    const script = `"${process.execPath}" ${PROGRAM} --help | true; echo "\${PIPESTATUS[0]}"`;
    expect(execFileSync('bash', ['-c', `${script} 2>&1`], { encoding: 'utf8' })).to.equal('141\n');
  });
});
