import { expect } from 'chai';
import type { Fault, Step } from '../fault.js';
import { runFault } from '../run-fault.js';
import { answer, pause } from '../steps/frequent.js';
import { freezeDispatchers, killDispatchers } from '../steps/processes.js';
import { type Servers, startServers } from '../world/servers.js';
import { BROKEN_BUILDS, type BrokenBuild, type Disturbance, WITHOUT_RECOVERY } from './builds.js';
import { inBuild } from './in-build.js';

const SEED = 7;
/** A kill shows a bug only if it comes between two steps of an attempt, so there are several, each at a different moment. */
const KILLS = 3;
const FREEZES = 3;
/** Longer than a freeze: POSTs that are in flight succeed after it, beside the next owner. */
const DELIVERY_TIMEOUT = '15s';
/** So slow that there is always a POST in flight. */
const SLOW_MS = 700;

const STEPS: Readonly<Record<Disturbance, Step>> = {
  none: pause(6),
  kills: killDispatchers({ times: KILLS, atAnyMoment: 0 }),
  // Longer than a session: another dispatcher takes over what is in flight.
  freezes: freezeDispatchers({ times: FREEZES, frozenMs: 11_000, pauseMs: 2_000 }),
};

/** The work of a killed process is taken over after a session; then retries follow. */
const PATIENCE_MS: Readonly<Record<Disturbance, number>> = { none: 25_000, kills: 60_000, freezes: 25_000 };

interface Trial {
  readonly build?: BrokenBuild;
  readonly disturbance: Disturbance;
  /** Whether lost messages are sent again from the stored deliveries. */
  readonly recovers: boolean;
}

const faultOf = ({ disturbance, recovers }: Omit<Trial, 'build'>): Fault => ({
  number: 0,
  name: `${disturbance}, ${recovers ? 'with' : 'without'} recovery`,
  // So few events that no endpoint gets a long queue, which would be processed from the rows in any case.
  rate: 4,
  patienceMs: PATIENCE_MS[disturbance],
  settings: () => ({
    ...(!recovers && { FAILPOINTS: WITHOUT_RECOVERY }),
    ...(disturbance === 'freezes' && { DELIVERY_TIMEOUT }),
  }),
  prepare: answer(['/steady-1', '/steady-2'], (bucket, earlier) => {
    return { status: earlier === 0 && bucket < 25 ? 500 : 200, delayMs: SLOW_MS };
  }),
  steps: [STEPS[disturbance]],
});

/** Shows that the oracle finds bugs: each broken build has one. */
describe('oracle self-test', () => {
  let servers: Servers;
  before(async () => {
    servers = await startServers(() => {});
  });
  after(() => servers?.stop());

  const violationsOf = async ({ build, ...trial }: Trial) => {
    const fault = build === undefined ? faultOf(trial) : inBuild(faultOf(trial), build.name);
    return (await runFault(fault, { servers, seed: SEED, log: () => {} })).violations;
  };

  for (const build of BROKEN_BUILDS) {
    it(`reports a build in which ${build.name}`, async () => {
      const { disturbance, needsRecoveryOff } = build;
      const violations = await violationsOf({ build, disturbance, recovers: !needsRecoveryOff });
      const found = new Set(violations.map(({ invariant }) => invariant));
      const isFound = build.violates.some((invariant) => found.has(invariant));
      expect(isFound, `only found ${[...found]}`).to.equal(true);
    });
  }

  // Without recovery the correct build must not lose anything either: recovery alone must not explain a difference.
  const CONTROLS = [
    { disturbance: 'kills', recovers: true },
    { disturbance: 'freezes', recovers: true },
    { disturbance: 'none', recovers: false },
    { disturbance: 'kills', recovers: false },
  ] as const;
  for (const control of CONTROLS) {
    const { disturbance, recovers } = control;
    it(`reports nothing for the correct build ${recovers ? 'with' : 'without'} recovery (${disturbance})`, async () => {
      expect(await violationsOf(control)).to.deep.equal([]);
    });
  }
});
