import { expect } from 'chai';
import { type Options, parseOptions } from './options.js';

const KNOWN = ['dry-run', 'helm'].map((name) => ({ name, about: '' }));
const DEFAULTS: Options = {
  steps: ['dry-run', 'helm'],
  chosen: false,
  perSecond: 500,
  from: null,
  onlyStart: false,
};
const parse = (...args: string[]) => parseOptions(args, KNOWN);

describe('options of the cluster test', () => {
  it('select all steps and 500 deliveries a second by default', () =>
    expect(parse()).to.deep.equal(DEFAULTS));

  it('select steps by name', () =>
    expect(parse('helm', '--per-second', '20')).to.deep.equal({
      ...DEFAULTS,
      steps: ['helm'],
      chosen: true,
      perSecond: 20,
    }));

  it('take a version to upgrade from', () => expect(parse('--from', 'v1').from).to.equal('v1'));

  it('refuse an unknown step with the known ones', () =>
    expect(() => parse('halm')).to.throw('there is no step "halm"; there are dry-run, helm'));
});
