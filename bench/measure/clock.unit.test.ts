import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { machineNow, machineTimeOf } from './clock.js';

describe('machine clock', () => {
  it('is the same in another process', () => {
    const before = machineNow();
    const module = new URL('./clock.js', import.meta.url).href;
    const script = `import { machineNow } from ${JSON.stringify(module)}; process.stdout.write(String(machineNow()))`;
    const there = Number(execFileSync(process.execPath, ['--input-type=module', '--eval', script]));
    expect(there).to.be.within(before, machineNow());
  });

  it('runs as fast as the wall clock', () => {
    const wall = Date.now();
    expect(machineTimeOf(wall) - machineTimeOf(wall - 60_000)).to.be.closeTo(60_000, 50);
  });
});
