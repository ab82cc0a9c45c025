import { expect } from 'chai';
import { parseCpuSeconds, parseMemory } from './proc-files.js';

describe("the kernel's files about processes", () => {
  it('contain the CPU time of a process, whatever its name is', () => {
    const rest = 'S 1 2 3 4 5 6 7 8 9 10 250 150 0 0 20 0 1 0 100 1000 200';
    expect(parseCpuSeconds(`42 (node) ${rest}`)).to.equal(4);
    expect(parseCpuSeconds(`42 (a) b (c) ${rest}`)).to.equal(4);
  });

  it('yield null when they are truncated', () => {
    expect(parseCpuSeconds('42 (node) S 1 2')).to.equal(null);
    expect(parseMemory('Name:\tnode\n')).to.equal(null);
  });

  it('contain the resident memory and its peak in bytes', () => {
    const status = 'Name:\tnode\nVmPeak:\t 99 kB\nVmHWM:\t    2048 kB\nVmRSS:\t    1024 kB\n';
    expect(parseMemory(status)).to.deep.equal({ resident: 1_048_576, peak: 2_097_152 });
  });
});
