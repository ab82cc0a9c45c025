import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { countWarnings, readJoinedAt } from './service-log.js';

describe('service log', () => {
  const directory = mkdtempSync(join(tmpdir(), 'bench-test-'));
  after(() => rmSync(directory, { recursive: true }));

  const logOf = (...lines: (object | string)[]): string => {
    const file = join(directory, 'service.log');
    const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
    writeFileSync(file, texts.map((text) => `${text}\n`).join(''));
    return file;
  };
  const line = (second: number, fields: object) => {
    return { level: 30, time: `2026-01-01T00:00:0${second}.000Z`, ...fields };
  };

  it('contains when the process first joined the group of dispatchers', async () => {
    const file = logOf(
      line(1, { event: 'consumer.joined', groupId: 'p.fan-out' }),
      line(2, { event: 'consumer.joined', groupId: 'p.dispatcher' }),
      line(3, { event: 'consumer.joined', groupId: 'p.dispatcher' }),
    );
    expect(await readJoinedAt(file)).to.equal(Date.parse('2026-01-01T00:00:02.000Z'));
    expect(await readJoinedAt(logOf(line(1, { event: 'ready' })))).to.equal(null);
  });

  it('is searched for warnings and errors by event', async () => {
    const file = logOf(
      line(1, { event: 'ready' }),
      line(1, { event: 'settle.failed', level: 40 }),
      'no JSON "level":50',
      line(2, { level: 50 }),
    );
    expect(await countWarnings([file, file])).to.deep.equal({ 'settle.failed': 2, unnamed: 2 });
  });
});
