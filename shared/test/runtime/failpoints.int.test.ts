import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { failpointSpecs, readConfig } from '../../src/runtime/config.js';
import { createFailpoints, isSwitchedOff } from '../../src/runtime/failpoints.js';

const MODULE = new URL('../../src/runtime/failpoints.js', import.meta.url).href;

/** Runs a step four times in a process of its own and tells how far that got. */
function stepsBeforeDeath(specs: readonly string[]) {
  const script = `
    import { failpoints } from '${MODULE}';
    import { writeSync } from 'node:fs';
    const step = failpoints(${JSON.stringify(specs)})('attempt.settle', () => writeSync(1, '.'));
    for (let time = 0; time < 4; time += 1) step();`;
  const { stdout, signal } = spawnSync(process.execPath, ['--input-type=module', '--eval', script]);
  return { steps: stdout.length, signal };
}

describe('failpoints', () => {
  it('leave every step as it is that nobody asked for', () => {
    const step = () => 1;
    expect(createFailpoints([])('attempt.settle', step)).to.equal(step);
    expect(createFailpoints(['outbox.publish'])('attempt.settle', step)).to.equal(step);
  });

  it('kill the process right before the step, the first time unless told', () => {
    expect(stepsBeforeDeath(['attempt.settle'])).to.deep.equal({ steps: 0, signal: 'SIGKILL' });
    expect(stepsBeforeDeath(['outbox.publish', 'attempt.settle:3'])).to.deep.equal({
      steps: 2,
      signal: 'SIGKILL',
    });
  });

  it('let the process live that never gets so far', () => {
    expect(stepsBeforeDeath(['attempt.settle:9'])).to.deep.equal({ steps: 4, signal: null });
  });
});

describe('a switch', () => {
  it('is on unless it is wished off', () => {
    expect(isSwitchedOff([], 'rows.reconcile')).to.equal(false);
    expect(isSwitchedOff(['attempt.settle:3', 'rows.reconcile:off'], 'rows.reconcile')).to.equal(true);
  });

  it('leaves every step as it is', () => {
    const step = () => 1;
    expect(createFailpoints(['rows.reconcile:off'])('attempt.settle', step)).to.equal(step);
  });
});

describe('the configuration of failpoints', () => {
  const DECLARATION = { FAILPOINTS: failpointSpecs({ default: [] }) };
  const read = (text: string) => readConfig({ FAILPOINTS: text }, DECLARATION).FAILPOINTS;

  it('takes known names, with a count or without', () => {
    expect(read('outbox.publish, attempt.settle:3')).to.deep.equal(['outbox.publish', 'attempt.settle:3']);
    expect(read('')).to.deep.equal([]);
  });

  it('takes switches that are turned off', () => {
    expect(read('rows.reconcile:off')).to.deep.equal(['rows.reconcile:off']);
  });

  const wrong = ['outbox.publsh', 'attempt.settle:0', 'attempt.settle:x', 'attempt.settle:1:2'];
  for (const spec of [...wrong, 'attempt.settle:off', 'rows.reconcile', 'rows.reconcile:1']) {
    it(`refuses "${spec}"`, () => expect(() => read(spec)).to.throw(`"${spec}" is no failpoint`));
  }

  it('refuses any in production', () => {
    const before = process.env.NODE_ENV;
    process.env.NODE_ENV = 'production';
    try {
      for (const spec of ['attempt.settle', 'rows.reconcile:off'])
        expect(() => read(spec)).to.throw('is refused in production');
      expect(read('')).to.deep.equal([]);
    } finally {
      if (before === undefined) delete process.env.NODE_ENV;
      else process.env.NODE_ENV = before;
    }
  });
});
