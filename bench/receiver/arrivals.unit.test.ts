import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createArrivalLog, readArrivals } from './arrivals.js';

describe('arrival log', () => {
  const directory = mkdtempSync(join(tmpdir(), 'bench-test-'));
  after(() => rmSync(directory, { recursive: true }));

  it('reads what was recorded, in order and over many blocks', () => {
    const file = join(directory, 'arrivals');
    for (const count of [0, 16_384, 40_000]) {
      const arrivals = Array.from({ length: count }, (_, index) => ({
        id: `whd_${index}`,
        at: index + 0.125,
      }));
      const log = createArrivalLog();
      for (const { id, at } of arrivals) log.add(id, at);
      log.save(file);
      expect(readArrivals(file)).to.deep.equal(arrivals);
    }
  });
});
