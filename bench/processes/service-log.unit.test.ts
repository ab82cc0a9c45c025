import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { countComplaints, readJoinedAt } from './service-log.js';

describe("a service's log", () => {
  const directory = mkdtempSync(join(tmpdir(), 'bench-test-'));
  after(() => rmSync(directory, { recursive: true }));

  const logOf = (...lines: (object | string)[]): string => {
    const file = join(directory, 'service.log');
    writeFileSync(
      file,
      lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
    );
    return file;
  };
  const line = (second: number, facts: object) => {
    return { level: 30, time: `2026-01-01T00:00:0${second}.000Z`, ...facts };
  };

  it('says when the process first was a member of the delivering group', async () => {
    const file = logOf(
      line(1, { event: 'consumer.joined', groupId: 'p.fan-out' }),
      line(2, { event: 'consumer.joined', groupId: 'p.dispatcher' }),
      line(3, { event: 'consumer.joined', groupId: 'p.dispatcher' }),
    );
    expect(await readJoinedAt(file)).to.equal(Date.parse('2026-01-01T00:00:02.000Z'));
    expect(await readJoinedAt(logOf(line(1, { event: 'ready' })))).to.equal(null);
  });

  it('is searched for warnings and errors, by event', async () => {
    const file = logOf(
      line(1, { event: 'ready' }),
      line(1, { event: 'settle.failed', level: 40 }),
      'no JSON "level":50',
      line(2, { event: 'settle.failed', level: 40 }),
      line(2, { level: 50 }),
    );
    expect(Object.fromEntries(await countComplaints(file))).to.deep.equal({
      'settle.failed': 2,
      'without a name': 1,
    });
  });
});
