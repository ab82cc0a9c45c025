import { expect } from 'chai';
import { CommanderError } from 'commander';
import { parseOptions } from './options.js';

describe('bench options', () => {
  const KNOWN = ['throughput', 'latency'];
  const parse = (text: string, print = (_: string) => {}) =>
    parseOptions(text.split(' ').filter(Boolean), KNOWN, print);

  it('default to three full runs of every scenario', () => {
    const usual = { scenarios: KNOWN, runs: 3, scale: 1, load: 1, write: false, keepLogs: false };
    expect(parse('')).to.deep.equal({ ...usual, only: null, json: null, beside: null, profiles: null });
  });

  it('are parsed', () => {
    const numbers = { runs: 1, scale: 0.1, load: 0.5 };
    const others = { scenarios: ['latency'], json: 'a.json', write: true, keepLogs: true };
    expect(parse('latency --runs 1 --scale 0.1 --load 0.5 --json a.json --write --keep-logs')).to.deep.equal({
      ...numbers,
      ...others,
      only: null,
      beside: null,
      profiles: null,
    });
    expect(parse('--only dead').only).to.equal('dead');
  });

  for (const [args, message] of [
    ['speed', 'Allowed choices are throughput, latency'],
    ['--runs 0', 'at least 1'],
    ['--scale 0', 'greater than 0'],
    ['--load 0', 'greater than 0'],
    ['--speed', 'unknown option'],
    ['--only dead --write', "'--write' cannot be used with option '--only <text>'"],
  ] as const) {
    it(`refuse "${args}"`, () => {
      const printed: string[] = [];
      const refused = () => parse(args, (text) => void printed.push(text));
      expect(refused).to.throw(CommanderError).with.property('exitCode', 1);
      expect(printed.join('')).to.contain(message);
    });
  }
});
