import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readEventLog, saveEventLog } from './event-log.js';

describe('the log of events', () => {
  const directory = mkdtempSync(join(tmpdir(), 'bench-test-'));
  after(() => rmSync(directory, { recursive: true }));

  it('gives back what was saved, to the fraction of a millisecond', () => {
    const file = join(directory, 'events');
    const events = [
      { occurredAt: 1_800_000_000_123, madeAt: 98_765.4321, workspace: 0 },
      { occurredAt: 1_800_000_000_124, madeAt: 98_766.5, workspace: 4_999 },
    ];
    saveEventLog(file, events);
    expect(readEventLog(file)).to.deep.equal(events);
  });

  it('may be empty', () => {
    const file = join(directory, 'none');
    saveEventLog(file, []);
    expect(readEventLog(file)).to.deep.equal([]);
  });
});
