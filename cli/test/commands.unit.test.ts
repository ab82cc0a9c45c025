import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { describeSignatureProblem } from '../src/commands/describe-signature-problem.js';
import { pairs, readEndpointOptions, resets } from '../src/commands/endpoint-options.js';

describe('options of endpoints', () => {
  const read = (input: string, options: Parameters<typeof readEndpointOptions>[1]) =>
    readEndpointOptions(Readable.from([input]), options);

  it('become the fields of the request', async () => {
    expect(await read('', {})).to.deep.equal({});
    expect(
      await read('{"plan": ["team"]}', { filter: '-', rate: 5, reset: ['rate', 'headers'] }),
    ).to.deep.equal({ filter: { plan: ['team'] }, ratePerSecond: 5, headers: null });
    expect(await read('X-Key: 1', { headers: '-' })).to.deep.equal({ headers: { 'x-key': '1' } });
  });

  // Regression: JSON was refused, and the first header was skipped.
  it('may begin with a byte order mark, as files of Windows do', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'postrider-bom-'));
    const file = join(directory, 'input');
    try {
      await writeFile(file, '\uFEFF{"plan": ["team"]}');
      expect(await read('', { filter: file })).to.deep.equal({ filter: { plan: ['team'] } });
      await writeFile(file, '\uFEFFX-Key: 1\r\n');
      expect(await read('', { headers: file })).to.deep.equal({ headers: { 'x-key': '1' } });
      expect(await read('\uFEFFX-Key: 1', { headers: '-' })).to.deep.equal({ headers: { 'x-key': '1' } });
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it('are refused by name where a file is not what it has to be', async () => {
    const refused = await read('[1]', { filter: '-' }).catch((error) => error);
    expect(refused).to.include({ tag: 'InvalidRequest', message: 'standard input is not a JSON object.' });
    const broken = await read('{"plan": ["team"}', { filter: '-' }).catch((error) => error);
    expect(broken.message).to.match(/^standard input is not JSON: .*position 16/);
    const secret = await read('{"x-key": secret}', { headers: '-' }).catch((error) => error);
    expect(secret.message).to.equal("standard input is not JSON: Unexpected token 's'.");
    const missing = await read('', { filter: '/does/not/exist' }).catch((error) => error);
    expect(missing.message).to.include('/does/not/exist');
  });

  // Regression: each of these lines was skipped, and the endpoint was stored without the header.
  it('are refused where a line of a file with headers is none, without showing it', async () => {
    for (const line of [
      'Authorization Bearer secret',
      'authorization=secret',
      'x-key : secret',
      ': secret',
    ]) {
      const refused = await read(`x-a: b\n\n${line}\n`, { headers: '-' }).catch((error) => error);
      expect(refused).to.include({
        tag: 'InvalidRequest',
        message: 'line 3 of standard input is no header.',
      });
    }
    const headers = await read('\r\nx.a: b\r\nx!: c\r\n', { headers: '-' });
    expect(headers).to.deep.equal({ headers: { 'x.a': 'b', 'x!': 'c' } });
  });

  // Regression: such values were sent as "null" or "[object Object]".
  it('are refused where the value of a header is no text, without showing it', async () => {
    for (const value of ['null', '7', '["secret"]', '{"secret": "x"}']) {
      const refused = await read(`{"x-a": "b", "X-Key": ${value}}`, { headers: '-' }).catch((error) => error);
      expect(refused).to.include({
        tag: 'InvalidRequest',
        message: 'the value of header "X-Key" in standard input is no text.',
      });
      expect(refused.facts.exitCode).to.equal(2);
    }
  });

  // Regression: only the last one was sent.
  it('are refused where a header is repeated, without showing it', async () => {
    for (const input of [
      '{"X-Key": "secret 1", "x-key": "secret 2"}',
      '{"x-key": "secret: 1", "x-key" : "secret 2"}',
      '{"x-key": null, "x-\\u006bey": "secret"}',
      'X-Key: secret 1\nx-a: b\nx-key: secret 2\n',
    ]) {
      const refused = await read(input, { headers: '-' }).catch((error) => error);
      expect(refused, input).to.include({
        tag: 'InvalidRequest',
        message: 'standard input has the header "x-key" more than once.',
      });
      expect(refused.facts.exitCode).to.equal(2);
    }
    const input = '{"x-a": "x-a", "x-b": "\\": \\"x-a\\":", "x-c": "{\\"x-a\\": 1}"}';
    expect(await read(input, { headers: '-' })).to.deep.equal({ headers: JSON.parse(input) });
  });

  // Regression: the second one was read as an empty file.
  it('are refused where two of them are read from standard input', async () => {
    const refused = await read('{}', { headers: '-', filter: '-' }).catch((error) => error);
    expect(refused).to.include({ tag: 'InvalidRequest', message: 'standard input can be read only once.' });
  });

  it('are collected from repeated and separated values', () => {
    expect(pairs('b=c=d', { a: '1' })).to.deep.equal({ a: '1', b: 'c=d' });
    expect(() => pairs('b')).to.throw('name=value');
    expect(resets('filter,signing')).to.deep.equal(['filter', 'signing']);
    expect(() => resets('url')).to.throw('headers, metadata, filter, rate, signing');
  });
});

describe('describeSignatureProblem', () => {
  const describeMissing = (secret: string, signature: string) =>
    describeSignatureProblem(
      { kind: 'no_supported_signature' },
      { secret, headers: { 'webhook-signature': signature } },
    );

  it('names the key that the signatures need', () => {
    expect(describeMissing('whsec_AAAA', 'v1a,AAAA')).to.include('whpk_');
    expect(describeMissing('whpk_AAAA', 'v1,AAAA v1,BBBB')).to.include('v1a, ').and.to.include('whsec_');
    expect(describeMissing('whpk_AAAA', 'v2,AAAA')).not.to.include('whsec_');
  });

  it('describes malformed keys by their kind', () => {
    const malformed = (secret: string) =>
      describeSignatureProblem({ kind: 'malformed_secret' }, { secret, headers: {} });
    expect(malformed('whpk_AA')).to.include('32 bytes');
    expect(malformed('secret')).to.include('whsec_');
  });
});
