import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readEventLog, saveEventLog } from './event-log.js';

describe('event log', () => {
  const directory = mkdtempSync(join(tmpdir(), 'bench-test-'));
  after(() => rmSync(directory, { recursive: true }));

  it('reads what was saved, to the fraction of a millisecond', () => {
    const file = join(directory, 'events');
    const events = [
      { occurredAt: 1_800_000_000_123, createdAt: 98_765.4321, workspace: 0 },
      { occurredAt: 1_800_000_000_124, createdAt: 98_766.5, workspace: 4_999 },
    ];
    for (const saved of [events, []]) {
      saveEventLog(file, saved);
      expect(readEventLog(file)).to.deep.equal(saved);
    }
  });
});
