import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { formatToken } from '../../src/domain/api-token.js';
import { formatAcceptToken } from '../../src/domain/invitation.js';
import { SECRET_PREFIXES } from '../../src/domain/secret-prefixes.js';
import { formatSecret } from '../../src/domain/signing.js';
import { withoutSecrets } from '../../src/runtime/without-secrets.js';

describe('withoutSecrets', () => {
  const RANDOM = Buffer.from('fbff3ee0'.repeat(8), 'hex');
  const SECRETS = Object.values(SECRET_PREFIXES).flatMap((prefix) =>
    (['base64', 'base64url'] as const).map((encoding) => `${prefix}${RANDOM.toString(encoding)}`),
  );
  const MADE = [formatToken(RANDOM), formatAcceptToken(RANDOM), formatSecret(RANDOM)];
  for (const secret of new Set([...SECRETS, ...MADE])) {
    it(`redacts ${secret.slice(0, 8)}… at any position`, () => {
      const line = withoutSecrets(`{"err":{"message":"unknown: ${secret}, sorry","stack":"at ${secret}"}}`);
      expect(line).to.equal('{"err":{"message":"unknown: [redacted], sorry","stack":"at [redacted]"}}');
    });
  }

  it('redacts a JWT at any position', () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const jwt = `${part({ alg: 'ES256', kid: 'k1' })}.${part({ sub: 'ada', exp: 1 })}.${RANDOM.toString('base64url')}`;
    expect(withoutSecrets(`{"a":"Bearer ${jwt}","b":"${jwt}, sorry"}`)).to.equal(
      '{"a":"Bearer [redacted]","b":"[redacted], sorry"}',
    );
  });

  it('redacts the password of a URL, but not the user', () => {
    const line = withoutSecrets('"cannot reach mongodb://ada:s3cr:et!@db-0:27017/postrider?x=y"');
    expect(line).to.equal('"cannot reach mongodb://ada:[redacted]@db-0:27017/postrider?x=y"');
    expect(withoutSecrets('at redis://:s3cr:et!@cache')).to.equal('at redis://:[redacted]@cache');
    // Regression: only the part before the first @ was redacted, although URL parsers accept it in passwords.
    expect(withoutSecrets('at https://ada:s3@cr@et@cache/a@b')).to.equal(
      'at https://ada:[redacted]@cache/a@b',
    );
  });

  it('keeps text that only resembles secrets', () => {
    for (const line of [
      '{"url":"https://hooks.example.com:8443/a@b","prefix":"prt_AbCd"}',
      '{"host":"monkeyJungleGym.example-domain.com"}',
      '{"kafka":"kafka-0:9092","msg":"12:30 mail to ada@example.com"}',
    ])
      expect(withoutSecrets(line)).to.equal(line);
  });
});

describe('log of a process', () => {
  const LOG = fileURLToPath(new URL('../../src/runtime/log.js', import.meta.url));
  /** The lines of a process that makes a log and calls it. */
  const logged = async (calls: string) => {
    const program = `
      const { createLog } = await import(${JSON.stringify(LOG)});
      const log = createLog({ service: 'test', level: 'info', pretty: false });
      ${calls}`;
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '--eval',
      program,
    ]);
    return stdout;
  };
  const SECRET = `prt_${'Ab1-'.repeat(10)}`;

  it('redacts secrets in messages, fields and errors', async () => {
    const lines = await logged(`
      log.info('a message with ${SECRET}');
      log.info({ url: 'mongodb://ada:hunter2@db' }, 'a field');
      log.error({ err: new Error('quotes ${SECRET}') }, 'an error');`);
    expect(lines).to.include('a message with [redacted]').and.to.include('mongodb://ada:[redacted]@db');
    expect(lines).to.include('quotes [redacted]');
    for (const secret of [SECRET, 'hunter2']) expect(lines).to.not.include(secret);
  });

  it('redacts fields that are named after secrets, whatever they contain, at three levels', async () => {
    const names = ['authorization', 'token', 'secret', 'password', 'acceptToken', 'idempotencyKey'];
    const fields = Object.fromEntries(names.map((name) => [name, 'hunter2']));
    const facts = JSON.stringify({ ...fields, a: { ...fields, b: fields } });
    const lines = await logged(`log.info(${facts}, 'facts');`);
    expect(lines.split('[redacted]')).to.have.length(3 * names.length + 1);
    expect(lines).to.not.include('hunter2');
  });
});
