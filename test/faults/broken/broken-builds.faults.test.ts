import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Fault } from '../fault.js';
import { runFault } from '../run-fault.js';
import { type Servers, startServers } from '../world/servers.js';
import type { World } from '../world/world.js';
import { BROKEN_BUILDS, type BrokenBuild, NO_HEALING } from './builds.js';

const SEED = 7;
const TIMES = 2;
/** Longer than a session, so that another dispatcher takes over what is in flight. */
const FROZEN_MS = 11_000;
/** Answers take this long, so that there always is something in flight. */
const SLOW_MS = 700;
/** So few events a second that nothing piles up: endpoints with long lines are left to their rows, healing or not. */
const RATE = 4;
const UNHEALED = { settings: { FAILPOINTS: NO_HEALING } };

const NEEDS: Readonly<Record<BrokenBuild['needs'], (world: World) => Promise<void>>> = {
  nothing: () => wait(6_000),
  async deaths(world) {
    for (let times = 0; times < TIMES; times += 1) {
      await wait(2_000);
      await Promise.all(world.processes.of('dispatcher').map((member) => member.kill()));
    }
  },
  async freezes(world) {
    for (let times = 0; times < TIMES; times += 1) {
      const [zombie] = world.processes.of('dispatcher');
      zombie?.freeze();
      await wait(FROZEN_MS);
      zombie?.thaw();
      await wait(2_000);
    }
  },
};

interface Trial {
  /** Null: the build as it is. */
  readonly build: BrokenBuild | null;
  readonly needs: BrokenBuild['needs'];
  readonly settings?: Readonly<Record<string, string>>;
}

function faultOf({ build, needs, settings }: Trial): Fault {
  return {
    number: 0,
    name: build?.name ?? 'the build as it is',
    quick: false,
    rate: RATE,
    patienceMs: 25_000,
    ...(build && { nodeArgs: ['--import', fileURLToPath(new URL('./break.js', import.meta.url))] }),
    settings: () => ({ ...(build && { BROKEN_BUILD: build.name }), ...settings }),
    async prepare(world) {
      for (const path of ['/steady-1', '/steady-2'])
        world.receiver.behave(path, (_, nth, lot) => {
          const fails = nth === 0 && lot < 25;
          return { status: fails ? 500 : 200, delayMs: SLOW_MS };
        });
    },
    run: NEEDS[needs],
  };
}

/** An oracle that never finds anything says nothing. Each of these builds has one mistake, and it has to be found. */
describe('the oracle', () => {
  let servers: Servers;
  before(async () => {
    servers = await startServers(() => {});
  });
  after(() => servers?.stop());

  const violationsOf = async (trial: Trial) => {
    const report = await runFault(faultOf(trial), { servers, seed: SEED, say: () => {} });
    return report.violations;
  };

  for (const build of BROKEN_BUILDS) {
    it(`is red when ${build.name}`, async () => {
      const { needs, isHealed } = build;
      const violations = await violationsOf({ build, needs, ...(isHealed && UNHEALED) });
      const found = new Set(violations.map(({ invariant }) => invariant));
      expect(
        build.breaks.some((invariant) => found.has(invariant)),
        `only found ${[...found]}`,
      ).to.equal(true);
    });
  }

  for (const needs of ['deaths', 'freezes'] as const) {
    it(`is green without a mistake, when the same dispatchers go through ${needs}`, async () => {
      expect(await violationsOf({ build: null, needs })).to.deep.equal([]);
    });
  }

  // What the rows do not mend shows the mistake, not that they are needed: messages alone lose nothing either.
  for (const needs of ['nothing', 'deaths'] as const) {
    it(`is green without a mistake and without healing, when the same dispatchers go through ${needs}`, async () => {
      expect(await violationsOf({ build: null, needs, ...UNHEALED })).to.deep.equal([]);
    });
  }
});
