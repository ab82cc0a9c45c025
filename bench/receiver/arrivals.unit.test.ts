import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { arrivalLog, readArrivals } from './arrivals.js';

describe('the log of arrivals', () => {
  const directory = mkdtempSync(join(tmpdir(), 'bench-test-'));
  after(() => rmSync(directory, { recursive: true }));

  it('gives back what was noted, in order, over many blocks', () => {
    const file = join(directory, 'arrivals');
    const log = arrivalLog();
    const count = 40_000;
    for (let index = 0; index < count; index += 1) log.add(`whd_${index}`, index + 0.125);
    log.save(file);
    const read = readArrivals(file);
    expect(read).to.have.length(count);
    for (const index of [0, 1, 16_383, 16_384, 32_768, count - 1])
      expect(read[index]).to.deep.equal({ id: `whd_${index}`, at: index + 0.125 });
  });

  it('may be empty', () => {
    const file = join(directory, 'none');
    arrivalLog().save(file);
    expect(readArrivals(file)).to.deep.equal([]);
  });
});
