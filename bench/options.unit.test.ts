import { expect } from 'chai';
import { CommanderError } from 'commander';
import { parseOptions } from './options.js';

describe('bench options', () => {
  const KNOWN = ['throughput', 'latency'];
  const DEFAULTS = {
    scenarios: KNOWN,
    runs: 3,
    scale: 1,
    only: null,
    json: null,
    profiles: null,
    write: false,
    keepLogs: false,
  };
  const parse = (text: string, print = (_: string) => {}) =>
    parseOptions(
      text.split(' ').filter((arg) => arg !== ''),
      KNOWN,
      print,
    );

  it('default to three full runs of every scenario', () => {
    expect(parse('')).to.deep.equal(DEFAULTS);
  });

  it('are parsed', () => {
    expect(parse(`latency --runs 1 --scale 0.1 --only dead --json a.json --write --keep-logs`)).to.deep.equal(
      {
        ...DEFAULTS,
        ...{ runs: 1, scale: 0.1 },
        ...{ scenarios: ['latency'], only: 'dead', json: 'a.json', write: true, keepLogs: true },
      },
    );
  });

  for (const [args, message] of [
    ['speed', 'Allowed choices are throughput, latency'],
    ['--runs 0', 'at least 1'],
    ['--scale 0', 'greater than 0'],
    ['--speed', 'unknown option'],
  ] as const) {
    it(`refuse "${args}"`, () => {
      const printed: string[] = [];
      const refused = () => parse(args, (text) => void printed.push(text));
      expect(refused).to.throw(CommanderError).with.property('exitCode', 1);
      expect(printed.join('')).to.contain(message);
    });
  }
});
