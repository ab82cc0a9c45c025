import { setTimeout as wait } from 'node:timers/promises';
import { KILLED, type Member } from '../world/place.js';
import type { World } from '../world/world.js';

interface Kills {
  readonly times: number;
  /** So many of them come at any moment, even while the victim starts. All others hit one at work. */
  readonly atAnyMoment: number;
}

const AT_WORK_WITHIN_MS = 60_000;
const MOST_WORK_MS = 2_000;

/**
 * Kills dispatchers, one after the other. Who is killed at work has got its partitions after the death before, and has
 * worked for a random while.
 *
 * @throws Error when not that many died
 */
export async function killAtRandom(world: World, { times, atAnyMoment }: Kills): Promise<void> {
  const anyMoment = chosen(world, { times, atAnyMoment });
  const earlier = deathsOf(world);
  let atWork = 0;
  let since = 0;
  for (let kill = 0; kill < times; kill += 1) {
    const victim = world.random.pick(world.processes.of('dispatcher'));
    const pause = world.random.between(0, MOST_WORK_MS);
    if (!anyMoment.has(kill)) await untilAtWork(victim, since);
    await wait(pause);
    // Meanwhile it may have lost them to another.
    if (!anyMoment.has(kill)) await untilAtWork(victim, since);
    if (isAtWork(victim, since)) atWork += 1;
    since = Date.now();
    await victim.kill();
  }
  const died = deathsOf(world) - earlier;
  world.say(`${died} dispatchers were killed, ${atWork} of them at work`);
  if (died < times) throw new Error(`only ${died} of ${times} dispatchers were killed`);
  const least = times - atAnyMoment;
  if (atWork < least) throw new Error(`only ${atWork} dispatchers were killed at work, not ${least}`);
}

/** Which kills come at any moment. */
function chosen({ random }: World, { times, atAnyMoment }: Kills): ReadonlySet<number> {
  const found = new Set<number>();
  while (found.size < atAnyMoment) found.add(random.between(0, times - 1));
  return found;
}

const isAtWork = (victim: Member, since: number) => (victim.partitionsSince() ?? 0) > since;

async function untilAtWork(victim: Member, since: number): Promise<void> {
  const until = Date.now() + AT_WORK_WITHIN_MS;
  while (!isAtWork(victim, since)) {
    if (Date.now() > until) throw new Error('a dispatcher got no partitions');
    await wait(20);
  }
}

const deathsOf = ({ processes }: World) =>
  processes
    .of('dispatcher')
    .flatMap((member) => member.ends())
    .filter(({ how }) => how === KILLED).length;
