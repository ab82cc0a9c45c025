import { expect } from 'chai';
import { type CpuProfile, PROFILE_PARTS, timeOfParts } from './profile-parts.js';

const node = (id: number, url: string, children: number[] = [], functionName = 'f') => {
  return { id, callFrame: { functionName, url }, children };
};

/** Samples of 10 µs each from the time 1,000 µs on. */
function aProfile(samples: readonly number[]): CpuProfile {
  const nodes = [
    node(1, '', [2, 4, 6, 7, 8], '(root)'),
    node(2, 'file:///app/node_modules/mongodb/lib/cmap/connection.js', [3, 5]),
    node(3, 'node:net', [9]),
    node(4, 'file:///app/services/dispatcher/dist/src/engine/sending/pump.js', [10]),
    node(5, 'file:///app/node_modules/bson/lib/bson.cjs'),
    node(6, '', [], '(garbage collector)'),
    node(7, '', [], '(idle)'),
    node(8, 'node:internal/timers'),
    node(9, '', [], 'writev'),
    node(10, 'file:///app/shared/dist/src/outbox/record.js'),
  ];
  return { nodes, startTime: 990, samples: [...samples], timeDeltas: samples.map(() => 10) };
}

const all = { from: 0, to: 100 };

describe('time of parts', () => {
  const times = (samples: readonly number[], span = all) => {
    const entries = [...timeOfParts(aProfile([...samples, 7]), span)].filter(([, time]) => time > 0);
    return Object.fromEntries(entries);
  };

  it('is that of the samples of each part', () => {
    expect(times([2, 2, 4, 5, 10])).to.deep.equal({
      'MongoDB driver': 20,
      engine: 10,
      BSON: 10,
      'other code': 10,
    });
  });

  it('includes what the runtime does for a part', () => {
    expect(times([3, 9, 8])).to.deep.equal({ 'MongoDB driver': 20, runtime: 10 });
  });

  it('shows the garbage collector apart, and leaves idle time out', () => {
    expect(times([6, 7])).to.deep.equal({ '(garbage collector)': 10 });
  });

  it('is limited to a span of the machine’s clock', () => {
    expect(times([2, 2, 2, 2], { from: 1.01, to: 1.03 })).to.deep.equal({ 'MongoDB driver': 20 });
  });

  it('names every part, even if it took no time', () => {
    expect([...timeOfParts(aProfile([]), all).keys()]).to.deep.equal(PROFILE_PARTS);
  });
});
