import { expect } from 'chai';
import { randomFrom } from '../random.js';
import type { End } from '../world/place.js';
import type { World } from '../world/world.js';
import { dieAt } from './die-at.js';

const DEATHS = { name: 'dispatcher', failpoints: ['attempt.settle'], times: 2, within: 5 } as const;
const end = (how: string): End => ({ how, lastLine: 'FAILPOINTS: is refused' });

/** A world whose only service ends so. */
function worldOf(...ends: readonly End[]) {
  const member = { ends: () => ends, deaths: () => ends.length };
  const world = {
    processes: { begin: async () => member },
    linked: {},
    random: randomFrom(1),
    say: () => {},
  };
  return world as unknown as World;
}

const failureOf = (world: World) =>
  dieAt(world, DEATHS).then(
    () => null,
    ({ message }: Error) => message,
  );

describe('dying at failpoints', () => {
  it('is over when the service was killed at them often enough', async () => {
    expect(await failureOf(worldOf(end('SIGKILL'), end('SIGKILL')))).to.equal(null);
  });

  // A service that refuses its failpoint ends as often as one that dies there: each start counted as a death.
  it('is no refusal to start', async () => {
    const refused = 'dispatcher did not die at a failpoint (exit code 1): FAILPOINTS: is refused';
    expect(await failureOf(worldOf(end('exit code 1')))).to.equal(refused);
    expect(await failureOf(worldOf(end('exit code 1'), end('exit code 1')))).to.equal(refused);
    expect(await failureOf(worldOf(end('SIGKILL'), end('exit code 1')))).to.equal(refused);
  });
});
