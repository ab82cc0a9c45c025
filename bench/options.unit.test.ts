import { expect } from 'chai';
import { CommanderError, parseOptions } from './options.js';

describe("the bench's options", () => {
  const KNOWN = ['throughput', 'latency'];
  const parse = (...args: string[]) => parseOptions(args, KNOWN, () => {});

  it('without arguments mean everything, three times', () => {
    expect(parse()).to.deep.equal({
      scenarios: KNOWN,
      runs: 3,
      seconds: null,
      scale: 1,
      only: null,
      partitions: 12,
      bodyBytes: 1_024,
      json: null,
      profiles: null,
      write: false,
      keepLogs: false,
    });
  });

  it('are read', () => {
    const text = 'latency --runs 1 --seconds 5 --scale 0.1 --only dead --partitions 4 --body-bytes 2048';
    expect(
      parse(...text.split(' '), '--json', 'a.json', '--profiles', 'p', '--write', '--keep-logs'),
    ).to.deep.equal({
      scenarios: ['latency'],
      runs: 1,
      seconds: 5,
      scale: 0.1,
      only: 'dead',
      partitions: 4,
      bodyBytes: 2_048,
      json: 'a.json',
      profiles: 'p',
      write: true,
      keepLogs: true,
    });
  });

  for (const [args, complaint] of [
    ['speed', 'one of throughput, latency'],
    ['--runs 0', 'whole number from 1'],
    ['--runs 1.5', 'whole number from 1'],
    ['--seconds none', 'whole number from 1'],
    ['--scale 0', 'over 0'],
    ['--scale 1e3', 'over 0'],
    ['--body-bytes 100', 'whole number from 512'],
    ['--speed', 'unknown option'],
  ] as const) {
    it(`refuse "${args}"`, () => {
      const printed: string[] = [];
      const refused = () => parseOptions(args.split(' '), KNOWN, (text) => void printed.push(text));
      expect(refused).to.throw(CommanderError).with.property('exitCode', 1);
      expect(printed.join('')).to.contain(complaint);
    });
  }
});
