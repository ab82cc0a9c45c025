import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { findLogDirectory, readTopicBytes } from './topic-bytes.js';

describe('bytes of topics', () => {
  const directory = mkdtempSync(join(tmpdir(), 'bench-test-'));
  after(() => rmSync(directory, { recursive: true }));

  it('are those of all segments of all partitions with the prefix', () => {
    const files = {
      'a.webhook.deliveries-0': { '00.log': 10, '10.log': 5, '00.index': 1_000 },
      'a.webhook.deliveries-11': { '00.log': 1 },
      'a.webhook.deliveries.retry.1-0': { '00.log': 0 },
      'b.webhook.deliveries-0': { '00.log': 100 },
    };
    for (const [partition, segments] of Object.entries(files)) {
      mkdirSync(join(directory, partition));
      for (const [name, size] of Object.entries(segments))
        writeFileSync(join(directory, partition, name), Buffer.alloc(size));
    }
    expect(readTopicBytes(directory, 'a.')).to.deep.equal({
      'webhook.deliveries': 16,
      'webhook.deliveries.retry.1': 0,
    });
  });

  it('are in the directory that is in the settings of the broker', async () => {
    const settings = join(directory, 'server.properties');
    writeFileSync(settings, 'broker.id=1\nlog.dirs=/data/kafka\nlog.segment.bytes=1\n');
    const broker = spawn('sh', ['-c', 'read -r _', 'broker', settings]);
    try {
      expect(findLogDirectory(broker.pid!)).to.equal('/data/kafka');
    } finally {
      broker.stdin.end();
      await once(broker, 'exit');
    }
    expect(findLogDirectory(broker.pid!)).to.equal(null);
    expect(findLogDirectory(process.pid)).to.equal(null);
  });
});
