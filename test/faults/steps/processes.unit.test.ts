import { expect } from 'chai';
import { randomFrom } from '../random.js';
import type { World } from '../world/world.js';
import { crashAtFailpoints } from './processes.js';

const REFUSED = 'dispatcher did not crash at a failpoint (exit code 1): FAILPOINTS: is refused';

/** Runs the step with a service that exits in these ways. @returns the error, if any */
async function errorFor(...exits: readonly string[]): Promise<string | null> {
  const service = { exits: () => exits.map((how) => ({ how, lastLine: 'FAILPOINTS: is refused' })) };
  const services = { launch: async () => service };
  const world = { services, linked: {}, random: randomFrom(1), log: () => {} } as unknown as World;
  const crash = crashAtFailpoints({
    service: 'dispatcher',
    failpoints: [{ name: 'attempt.settle', within: 5 }],
    times: 2,
  });
  try {
    await crash(world);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

describe('crashAtFailpoints', () => {
  it('ends when the service has crashed often enough', async () => {
    expect(await errorFor('SIGKILL', 'SIGKILL')).to.equal(null);
  });

  // Regression: starts that failed because the service rejects its failpoint were counted as crashes.
  it('does not count a service that refuses to start', async () => {
    expect(await errorFor('exit code 1')).to.equal(REFUSED);
    expect(await errorFor('exit code 1', 'exit code 1')).to.equal(REFUSED);
    expect(await errorFor('SIGKILL', 'exit code 1')).to.equal(REFUSED);
  });
});
