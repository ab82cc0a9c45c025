import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Usage } from '#dev/processes/proc-files';
import { startMeter } from './meter.js';
import { countWarnings, readJoinedAt } from './service-log.js';

const usage = (cpuSeconds: number, resident: number, peak = resident): Usage => {
  return { cpuSeconds, memory: { resident, peak } };
};

describe('meter', () => {
  it('measures what was used between start and stop', () => {
    const now = new Map([[1, usage(10, 100)]]);
    const meter = startMeter([{ name: 'mongod', pid: 1, fresh: false }], (pid) => now.get(pid) ?? null);
    now.set(1, usage(13, 250));
    expect(meter.stop()).to.deep.equal([{ name: 'mongod', cpuSeconds: 3, peakBytes: 250 }]);
  });

  it('uses the peak of the kernel only for processes that were started for the measurement', () => {
    const read = () => usage(1, 100, 900);
    const peakOf = (fresh: boolean) =>
      startMeter([{ name: 'any', pid: 1, fresh }], read).stop()[0]?.peakBytes;
    expect(peakOf(true)).to.equal(900);
    expect(peakOf(false)).to.equal(100);
  });

  it('adds up processes of one name, including later ones', () => {
    const now = new Map([
      [1, usage(1, 100)],
      [2, usage(5, 50)],
    ]);
    const meter = startMeter([{ name: 'dispatcher', pid: 1, fresh: true }], (pid) => now.get(pid) ?? null);
    meter.watch({ name: 'dispatcher', pid: 2, fresh: true });
    now.set(1, usage(2, 100)).set(2, usage(7, 60));
    expect(meter.stop()).to.deep.equal([{ name: 'dispatcher', cpuSeconds: 3, peakBytes: 160 }]);
  });

  it('counts a process that ended with its latest values', () => {
    const now = new Map([[1, usage(4, 100)]]);
    const meter = startMeter([{ name: 'dispatcher', pid: 1, fresh: true }], (pid) => now.get(pid) ?? null);
    now.clear();
    expect(meter.stop()).to.deep.equal([{ name: 'dispatcher', cpuSeconds: 0, peakBytes: 100 }]);
  });

  it('returns null if the system provides no values', () => {
    const meter = startMeter([{ name: 'kafka', pid: 1, fresh: false }], () => null);
    expect(meter.stop()).to.deep.equal([{ name: 'kafka', cpuSeconds: null, peakBytes: null }]);
  });
});

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
