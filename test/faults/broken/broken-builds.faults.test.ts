import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { type Guard, startGuard } from '#dev/processes/guard';
import type { Fault } from '../fault.js';
import { runFault } from '../run-fault.js';
import { type Servers, startServers } from '../world/servers.js';
import type { World } from '../world/world.js';
import { BROKEN_BUILDS, type BrokenBuild } from './builds.js';

const SEED = 7;
const TIMES = 2;
/** Longer than a session, so that another dispatcher takes over what is in flight. */
const FROZEN_MS = 11_000;
/** Answers take this long, so that there always is something in flight. */
const SLOW_MS = 700;

const NEEDS: Readonly<Record<BrokenBuild['needs'], (world: World) => Promise<void>>> = {
  nothing: () => wait(6_000),
  async deaths(world) {
    for (let times = 0; times < TIMES; times += 1) {
      await wait(2_000);
      await Promise.all(world.crew.of('dispatcher').map((member) => member.kill()));
    }
  },
  async freezes(world) {
    for (let times = 0; times < TIMES; times += 1) {
      const [zombie] = world.crew.of('dispatcher');
      zombie?.freeze();
      await wait(FROZEN_MS);
      zombie?.thaw();
      await wait(2_000);
    }
  },
};

function faultOf(build: BrokenBuild | null, needs: BrokenBuild['needs']): Fault {
  return {
    number: 0,
    name: build?.name ?? 'the build as it is',
    quick: false,
    patienceMs: 25_000,
    ...(build && {
      nodeArgs: ['--import', fileURLToPath(new URL('./break.js', import.meta.url))],
      settings: () => ({ BROKEN_BUILD: build.name }),
    }),
    async prepare(world) {
      for (const path of ['/steady-1', '/steady-2'])
        world.receiver.behave(path, (id, nth) => {
          const fails = nth === 0 && id.charCodeAt(id.length - 1) % 4 === 0;
          return { kind: 'status', status: fails ? 500 : 200, afterMs: SLOW_MS };
        });
    },
    run: NEEDS[needs],
  };
}

/** An oracle that never finds anything says nothing. Each of these builds has one mistake, and it has to be found. */
describe('the oracle', () => {
  let guard: Guard;
  let servers: Servers;
  before(async () => {
    guard = startGuard();
    servers = await startServers(guard, () => {});
  });
  after(async () => {
    await servers?.stop();
    guard?.close();
  });

  const violationsOf = async (build: BrokenBuild | null, needs: BrokenBuild['needs']) => {
    const report = await runFault(faultOf(build, needs), { servers, guard, seed: SEED, say: () => {} });
    return report.violations;
  };

  for (const build of BROKEN_BUILDS) {
    it(`is red when ${build.name}`, async () => {
      const found = new Set((await violationsOf(build, build.needs)).map(({ invariant }) => invariant));
      expect(
        build.breaks.some((invariant) => found.has(invariant)),
        `only found ${[...found]}`,
      ).to.equal(true);
    });
  }

  for (const needs of ['deaths', 'freezes'] as const) {
    it(`is green without a mistake, when the same dispatchers go through ${needs}`, async () => {
      expect(await violationsOf(null, needs)).to.deep.equal([]);
    });
  }
});
