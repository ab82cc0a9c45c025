import { expect } from 'chai';
import { FAULTS } from '../catalogue/all.js';
import type { Fault } from '../fault.js';
import type { Violation } from '../oracle/check.js';
import { runFault } from '../run-fault.js';
import { startServers } from '../world/servers.js';
import { inBuild } from './in-build.js';
import { UNDEFENDED_BUILDS } from './undefended-builds.js';

const SEED = 7;
/** What they report does not depend on recovery, which some never reach. */
const PATIENCE_MS = 20_000;
const LONGEST_RUN_MS = 600_000;

const faultOf = (number: number): Fault => {
  const fault = FAULTS.find((one) => one.number === number);
  if (fault === undefined) throw new Error(`there is no fault ${number}`);
  return { ...fault, patienceMs: PATIENCE_MS };
};

/** Each run has its own servers: a fault that ends early leaves them as they are then. */
async function violationsIn(build: string, fault: Fault): Promise<readonly Violation[]> {
  const servers = await startServers(() => {}, fault);
  try {
    return (await runFault(inBuild(fault, build), { servers, seed: SEED, log: () => {} })).violations;
  } finally {
    await servers.stop();
  }
}

/** Shows that faults notice a missing defence: each build lacks one. */
describe('faults without a defence', () => {
  for (const { name, fault, reports } of UNDEFENDED_BUILDS)
    it(`fault ${fault} is red in a build in which ${name}`, async () => {
      const violations = await violationsIn(name, faultOf(fault));
      const texts = violations.map(({ invariant, what }) => `${invariant}: ${what}`);
      for (const { invariant, what } of reports) {
        const isReported = violations.some((one) => one.invariant === invariant && one.what.includes(what));
        expect(isReported, `no "${what}" among ${texts.slice(0, 5).join('; ')}`).to.equal(true);
      }
    }).timeout(LONGEST_RUN_MS);
});
