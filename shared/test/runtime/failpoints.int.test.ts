import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { readConfig } from '../../src/runtime/config.js';
import { createFailpoints, FAILPOINTS, isSwitchedOff } from '../../src/runtime/failpoints.js';
import { TESTING } from '../../src/runtime/process-config.js';

const MODULE = new URL('../../src/runtime/failpoints.js', import.meta.url).href;

/** Runs a step four times in a child process. */
function stepsBeforeDeath(specs: readonly string[]) {
  const script = `
    import { createFailpoints } from '${MODULE}';
    import { writeSync } from 'node:fs';
    const step = createFailpoints(${JSON.stringify(specs)})('attempt.settle', () => writeSync(1, '.'));
    for (let time = 0; time < 4; time += 1) step();`;
  const { stdout, signal } = spawnSync(process.execPath, ['--input-type=module', '--eval', script]);
  return { steps: stdout.length, signal };
}

describe('failpoints', () => {
  it('leave steps without a spec unchanged', () => {
    const step = () => 1;
    expect(createFailpoints([])('attempt.settle', step)).to.equal(step);
    expect(createFailpoints(['outbox.publish'])('attempt.settle', step)).to.equal(step);
  });

  it('kill the process right before the step, the first time by default', () => {
    expect(stepsBeforeDeath(['attempt.settle'])).to.deep.equal({ steps: 0, signal: 'SIGKILL' });
    expect(stepsBeforeDeath(['outbox.publish', 'attempt.settle:3'])).to.deep.equal({
      steps: 2,
      signal: 'SIGKILL',
    });
  });

  it('let a process live that does not reach the count', () => {
    expect(stepsBeforeDeath(['attempt.settle:9'])).to.deep.equal({ steps: 4, signal: null });
  });
});

describe('isSwitchedOff', () => {
  it('is true only for a switch with the spec :off', () => {
    expect(isSwitchedOff([], 'rows.reconcile')).to.equal(false);
    expect(isSwitchedOff(['attempt.settle:3', 'rows.reconcile:off'], 'rows.reconcile')).to.equal(true);
  });

  it('leaves every step unchanged', () => {
    const step = () => 1;
    expect(createFailpoints(['rows.reconcile:off'])('attempt.settle', step)).to.equal(step);
  });
});

describe('configuration of failpoints', () => {
  const read = (text: string, environment?: string) =>
    readConfig({ FAILPOINTS: text, NODE_ENV: environment }, TESTING).FAILPOINTS;

  it('accepts known names with and without a count', () => {
    expect(read('outbox.publish, attempt.settle:3')).to.deep.equal(['outbox.publish', 'attempt.settle:3']);
    expect(read('')).to.deep.equal([]);
    for (const name of FAILPOINTS) expect(read(name)).to.deep.equal([name]);
  });

  it('accepts switches that are turned off', () => {
    expect(read('rows.reconcile:off')).to.deep.equal(['rows.reconcile:off']);
  });

  const wrong = ['outbox.publsh', 'attempt.settle:0', 'attempt.settle:x', 'attempt.settle:1:2'];
  for (const spec of [...wrong, 'attempt.settle:off', 'rows.reconcile', 'rows.reconcile:1']) {
    it(`rejects "${spec}"`, () => expect(() => read(spec)).to.throw(`"${spec}" is not a failpoint`));
  }

  it('rejects any spec in production', () => {
    for (const spec of ['attempt.settle', 'rows.reconcile:off'])
      expect(() => read(spec, 'production')).to.throw('FAILPOINTS: is refused in production');
    expect(read('', 'production')).to.deep.equal([]);
  });
});
