import { expect } from 'chai';
import {
  createEndpointScheduler,
  type EndpointScheduler,
} from '../../../src/engine/scheduler/endpoint-scheduler.js';
import { type PoolLimits, poolLimits } from '../../../src/engine/scheduler/pool-limits.js';
import type { PostEnd } from '../../../src/engine/scheduler/standing.js';

const ANSWERED: PostEnd = { durationMs: 20, timedOut: false };
const TIMED_OUT: PostEnd = { durationMs: 10_000, timedOut: true };
const TOOK_LONG: PostEnd = { durationMs: 9_900, timedOut: false };
/** The place of endpoints that share a host. */
const AT_HOST = { origin: 'https://host' };

interface Task {
  readonly endpointId: string;
  readonly number: number;
}

type Scheduler = EndpointScheduler<Task>;

interface Place {
  readonly workspaceId?: string;
  readonly origin?: string;
  readonly failing?: boolean;
  readonly bytes?: number;
}

/** A scheduler with the default limits at a time that moves by `pass` only. Endpoints do not rest. */
function aScheduler(limits: Partial<PoolLimits> = {}) {
  const time = { now: 0 };
  const defaults = poolLimits({ perEndpoint: 4, prompt: 1_024, lingering: 4_096, bytes: 2 ** 24 });
  const tasks: Scheduler = createEndpointScheduler<Task>({ ...defaults, ...limits }, () => time.now, {
    isReplay: () => false,
    onPaced: () => {},
    restAfter: () => 0,
  });
  const places = new Map<string, Place>();
  const started: Task[] = [];
  let number = 0;
  const add = (endpointId: string, count: number, place: Place = places.get(endpointId) ?? {}) => {
    places.set(endpointId, place);
    for (let added = 0; added < count; added += 1) {
      tasks.enqueue({ endpointId, workspaceId: place.workspaceId ?? 'w' }, { endpointId, number });
      number += 1;
    }
  };
  /** Starts all POSTs that may start, up to a limit. @returns their endpoints */
  const start = (limit = Number.POSITIVE_INFINITY): string[] => {
    const endpoints: string[] = [];
    while (endpoints.length < limit) {
      const task = tasks.next();
      if (task === null) break;
      const place = places.get(task.endpointId) ?? {};
      const { origin = `https://${task.endpointId}`, failing = false, bytes = 1_000 } = place;
      if (!tasks.confirm(task, { origin, failing, bytes })) continue;
      tasks.postBegins(task);
      started.push(task);
      endpoints.push(task.endpointId);
    }
    return endpoints;
  };
  /** Ends the oldest POST to an endpoint. */
  const end = (endpointId: string, how: PostEnd | null) => {
    const index = started.findIndex((task) => task.endpointId === endpointId);
    const [task] = started.splice(index, 1);
    tasks.release(task!, how);
  };
  const pass = (ms: number) => {
    time.now += ms;
    return [...new Set(tasks.age().map(({ endpointId }) => endpointId))];
  };
  /** Makes one POST to an endpoint that ends in this way. */
  const once = (endpointId: string, how: PostEnd, place?: Place) => {
    add(endpointId, 1, place);
    expect(start()).to.include(endpointId);
    end(endpointId, how);
  };
  return { tasks, time, add, start, end, pass, once };
}

const names = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);
const times = (count: number, endpointId: string) => Array.from({ length: count }, () => endpointId);

/** A host with room for one POST, which has just ended. `next` and then `waiting` wait there, while `elsewhere` is on probation. */
function aFullHost(next: string) {
  const world = aScheduler({ perOrigin: 1, probation: 1 });
  const { add, start, end, pass } = world;
  for (const endpointId of ['slow', next, 'waiting']) {
    add(endpointId, 1, AT_HOST);
    start();
    end(endpointId, endpointId === 'slow' ? ANSWERED : null);
  }
  add('slow', 1);
  start();
  pass(1_001);
  for (const endpointId of [next, 'waiting']) add(endpointId, 1);
  expect(start(), 'at its limit').to.deep.equal([]);
  add('elsewhere', 1);
  expect(start()).to.deep.equal(['elsewhere']);
  end('slow', TOOK_LONG);
  return world;
}

describe('endpoint scheduler', () => {
  it('starts a job of a healthy endpoint at once while 300 endpoints of another workspace do not answer', () => {
    const { add, start, once } = aScheduler();
    once('healthy', ANSWERED, { workspaceId: 'other' });
    for (const endpointId of names('silent', 300)) once(endpointId, ANSWERED);
    for (const endpointId of names('silent', 300)) add(endpointId, 20);
    start();
    add('healthy', 1);
    expect(start()).to.deep.equal(['healthy']);
  });

  it('starts a job of a healthy endpoint after a second while 300 endpoints of its workspace do not answer', () => {
    const { add, start, once, pass } = aScheduler();
    once('healthy', ANSWERED);
    for (const endpointId of names('silent', 300)) once(endpointId, ANSWERED);
    for (const endpointId of names('silent', 300)) add(endpointId, 20);
    start();
    add('healthy', 1);
    expect(start()).to.deep.equal([]);
    pass(1_000);
    expect(start()).to.deep.equal(['healthy']);
  });

  it('gives nothing more to endpoints that hold a POST for more than a second', () => {
    const { add, start, once, pass, tasks } = aScheduler();
    for (const endpointId of names('silent', 300)) once(endpointId, ANSWERED);
    for (const endpointId of names('silent', 300)) add(endpointId, 20);
    const { length } = start();
    expect(pass(1_000)).to.have.members(names('silent', 300));
    expect(start()).to.deep.equal([]);
    expect(tasks.figures()).to.deep.include({ prompt: 0, lingering: length, inFlight: length });
  });

  it('sends one POST at a time to an endpoint until it has answered within a second, then four', () => {
    const { add, start, end } = aScheduler();
    add('a', 10);
    expect(start()).to.deep.equal(['a']);
    end('a', ANSWERED);
    expect(start()).to.deep.equal(times(4, 'a'));
    end('a', ANSWERED);
    expect(start()).to.deep.equal(['a']);
  });

  it('does not judge an endpoint by a job of which nothing was sent', () => {
    const { add, start, end } = aScheduler();
    add('a', 10);
    start();
    end('a', null);
    expect(start()).to.deep.equal(['a']);
  });

  it('forgets how an endpoint answered after ten minutes', () => {
    const { add, start, once, time } = aScheduler();
    once('a', ANSWERED);
    time.now += 10 * 60_000 + 1;
    add('a', 4);
    expect(start()).to.deep.equal(['a']);
  });

  it('keeps the order of one endpoint, also of a job that must not start yet', () => {
    const { add, tasks } = aScheduler({ suspect: 0 });
    add('a', 2);
    const first = tasks.next()!;
    expect(tasks.confirm(first, { origin: null, failing: true, bytes: 1_000 })).to.equal(false);
    expect(tasks.upcoming('a', 9).map(({ number }) => number)).to.deep.equal([0, 1]);
    expect(tasks.next()).to.equal(null);
  });

  describe('with endpoints that are not known to answer', () => {
    it('tries out a sixteenth of the slots at a time of those with a failure streak, and the others at once', () => {
      const { add, start, pass } = aScheduler();
      for (const endpointId of names('failing', 300)) add(endpointId, 1, { failing: true });
      expect(start()).to.have.length(64);
      add('new', 1);
      expect(start()).to.deep.equal(['new']);
      pass(250);
      expect(start()).to.have.length(64);
    });

    it('uses half of the prompt slots for them', () => {
      const { add, start, once } = aScheduler({ prompt: 10, probation: 5 });
      once('proven', ANSWERED);
      for (const endpointId of names('new', 20)) add(endpointId, 1);
      expect(start()).to.have.length(5);
      add('proven', 1);
      expect(start()).to.deep.equal(['proven']);
    });

    it('uses half of these for endpoints whose stored failure streak is above 0', () => {
      const { add, start } = aScheduler({ probation: 6, suspect: 3 });
      for (const endpointId of names('failing', 20)) add(endpointId, 1, { failing: true });
      expect(start()).to.deep.equal(names('failing', 3));
      for (const endpointId of names('new', 20)) add(endpointId, 1);
      expect(start()).to.deep.equal(names('new', 3));
    });

    it('starts none of them while the lingering pool has no room', () => {
      const { add, start, once, pass } = aScheduler({ lingering: 4, perWorkspace: 4 });
      once('proven', ANSWERED);
      for (const endpointId of names('silent', 4)) once(endpointId, ANSWERED, { workspaceId: 'hostile' });
      for (const endpointId of names('silent', 4)) add(endpointId, 1);
      expect(start()).to.have.length(4);
      pass(1_000);
      add('new', 1);
      add('proven', 4);
      expect(start()).to.deep.equal(times(4, 'proven'));
    });
  });

  describe('with endpoints that do not answer in time', () => {
    it('sends one POST at a time, in the lingering pool, to an endpoint that timed out, until it answers', () => {
      const { add, start, end, once, tasks } = aScheduler();
      once('a', TIMED_OUT);
      add('a', 20);
      expect(start()).to.deep.equal(['a']);
      expect(tasks.figures()).to.include({ prompt: 0, lingering: 1 });
      end('a', TIMED_OUT);
      expect(start()).to.deep.equal(['a']);
      end('a', ANSWERED);
      expect(start()).to.have.length(4);
      expect(tasks.figures()).to.include({ prompt: 4, lingering: 0 });
    });

    it('sends four POSTs at a time to an endpoint that answers slowly while the pool is less than half full', () => {
      const { add, start, once, tasks } = aScheduler({ lingering: 10, perWorkspace: 10, perOrigin: 10 });
      for (const endpointId of ['a', 'b', 'c']) once(endpointId, TOOK_LONG);
      add('a', 9);
      expect(start()).to.deep.equal(times(4, 'a'));
      for (const endpointId of ['b', 'c']) add(endpointId, 9);
      expect(start().toSorted()).to.deep.equal(['b', 'c']);
      expect(tasks.figures().lingering).to.equal(6);
    });

    it('continues with an endpoint that answers others while one of its POSTs lingers', () => {
      const { add, start, end, once, pass } = aScheduler();
      once('a', ANSWERED);
      add('a', 9);
      start();
      pass(999);
      for (let ended = 0; ended < 3; ended += 1) end('a', ANSWERED);
      start(0);
      expect(pass(1), 'none is silent').to.deep.equal([]);
      expect(start()).to.deep.equal(times(3, 'a'));
    });

    it('leaves three quarters of the lingering pool to other workspaces', () => {
      const { add, start, once, tasks } = aScheduler({ lingering: 16, perWorkspace: 4 });
      for (const endpointId of names('silent', 20)) once(endpointId, TIMED_OUT, { workspaceId: 'hostile' });
      once('other', TIMED_OUT);
      for (const endpointId of names('silent', 20)) add(endpointId, 9);
      expect(start(), 'a quarter of its share is kept for endpoints that are tried out').to.have.length(3);
      add('new', 1, { workspaceId: 'hostile' });
      add('other', 1);
      expect(start()).to.have.members(['new', 'other']);
      expect(tasks.figures().lingering).to.equal(4);
    });

    it('starts another POST of a workspace at its limit for each that ends', () => {
      const { add, start, end, once } = aScheduler({ lingering: 16, perWorkspace: 4 });
      for (const endpointId of names('silent', 20)) once(endpointId, TIMED_OUT);
      for (const endpointId of names('silent', 20)) add(endpointId, 9);
      const [first] = start();
      end(first!, TIMED_OUT);
      expect(start()).to.have.length(1);
    });

    it('lets POSTs above the limit of a workspace take no room from others', () => {
      const { add, start, once, pass } = aScheduler({ lingering: 8, perWorkspace: 2 });
      for (const endpointId of names('silent', 6)) once(endpointId, ANSWERED, { workspaceId: 'hostile' });
      for (const endpointId of names('silent', 6)) add(endpointId, 1);
      expect(start()).to.have.length(6);
      pass(1_000);
      for (const endpointId of names('new', 5)) add(endpointId, 1);
      expect(start()).to.have.length(5);
    });

    it('stops proven endpoints only of workspaces above their limit while the lingering pool is full', () => {
      const { add, start, once, pass } = aScheduler({ lingering: 4, perWorkspace: 1 });
      const hostile = { workspaceId: 'hostile' };
      for (const endpointId of names('silent', 5)) once(endpointId, ANSWERED, hostile);
      for (const endpointId of ['proven', 'other'])
        once(endpointId, ANSWERED, endpointId === 'proven' ? hostile : {});
      for (const endpointId of names('silent', 5)) add(endpointId, 1);
      start();
      pass(1_000);
      add('proven', 1);
      add('other', 1);
      expect(start()).to.deep.equal(['other']);
    });
  });

  describe('with several endpoints at one origin', () => {
    it('limits the POSTs that linger there over all workspaces', () => {
      const { tasks, add, start, end, once } = aScheduler({ perOrigin: 8 });
      for (const [index, endpointId] of names('silent', 20).entries())
        once(endpointId, TIMED_OUT, { ...AT_HOST, workspaceId: `w${index}` });
      for (const endpointId of names('silent', 20)) add(endpointId, 9);
      const first = start();
      expect(first).to.have.length(8);
      expect(tasks.figures().blocked).to.equal(12);
      end(first[0]!, TIMED_OUT);
      expect(start()).to.have.length(1);
      add('elsewhere', 1);
      expect(start()).to.deep.equal(['elsewhere']);
    });

    it('reserves a quarter of the limit for workspaces that have none there', () => {
      const { add, start, once } = aScheduler({ perOrigin: 8 });
      for (const endpointId of names('silent', 20)) once(endpointId, TIMED_OUT, AT_HOST);
      for (const endpointId of names('silent', 20)) add(endpointId, 9);
      expect(start()).to.have.length(6);
      add('other', 1, { ...AT_HOST, workspaceId: 'other' });
      expect(start()).to.deep.equal(['other']);
    });

    it('lets all workspaces take turns there, whatever they have waiting', () => {
      const workspaces = names('w', 100);
      const { add, start, end, once } = aScheduler({ perOrigin: 4 });
      for (const [index, workspaceId] of workspaces.entries())
        for (const endpointId of names(`${workspaceId}-`, 1 + (index % 3)))
          once(endpointId, TIMED_OUT, { ...AT_HOST, workspaceId });
      const started = new Map(workspaces.map((workspaceId) => [workspaceId, 0]));
      const inFlight: string[] = [];
      const startAll = () => {
        for (const endpointId of start()) {
          inFlight.push(endpointId);
          const [workspaceId = ''] = endpointId.split('-');
          started.set(workspaceId, (started.get(workspaceId) ?? 0) + 1);
          add(endpointId, 1);
        }
      };
      for (const [index, workspaceId] of workspaces.entries())
        for (const endpointId of names(`${workspaceId}-`, 1 + (index % 3))) add(endpointId, 1);
      startAll();
      for (let ended = 0; ended < 10 * workspaces.length; ended += 1) {
        end(inFlight.shift()!, TIMED_OUT);
        startAll();
        expect(inFlight).to.have.length(4);
      }
      const counts = [...started.values()];
      expect([Math.min(...counts), Math.max(...counts)]).to.satisfy(
        ([least = 0, most = 0]) => least >= 8 && most <= 13,
        `each about 10 times: ${counts}`,
      );
    });

    it('starts another POST there after that of an endpoint whose URL has changed meanwhile', () => {
      const { tasks, add, start, end, pass, once } = aScheduler({ perOrigin: 1 });
      once('moved', ANSWERED, AT_HOST);
      once('waiting', TIMED_OUT, { ...AT_HOST, workspaceId: 'other' });
      add('moved', 2);
      expect(start(1)).to.deep.equal(['moved']);
      pass(999);
      const second = tasks.next()!;
      pass(1);
      const elsewhere = { origin: 'https://elsewhere' };
      expect(tasks.confirm(second, { ...elsewhere, failing: false, bytes: 1_000 })).to.equal(false);
      add('moved', 0, elsewhere);
      add('waiting', 1);
      expect(start(), 'at its limit').to.deep.equal([]);
      end('moved', TOOK_LONG);
      expect(start()).to.have.members(['moved', 'waiting']);
    });

    it('limits the first POSTs there until it answers, then starts the others', () => {
      const { add, start, end, pass } = aScheduler({ perOrigin: 8 });
      const workspaces = names('w', 40);
      for (const workspaceId of workspaces) add(`${workspaceId}-new`, 1, { ...AT_HOST, workspaceId });
      const first = start();
      expect(first, 'from the beginning').to.have.length(8);
      pass(300);
      expect(start(), 'while they leave the prompt pool').to.deep.equal([]);
      end(first[0]!, ANSWERED);
      const others = start();
      for (const endpointId of others) end(endpointId, ANSWERED);
      expect([...first, ...others, ...start()], 'all of them').to.have.length(40);
    });

    it('limits the POSTs of suspects there in the same way, and replaces those that end without an answer', () => {
      const { add, start, end } = aScheduler({ perOrigin: 4 });
      const suspect = { ...AT_HOST, failing: true };
      for (const workspaceId of names('w', 9)) add(`${workspaceId}-suspect`, 1, { ...suspect, workspaceId });
      const first = start();
      expect(first).to.have.length(4);
      end(first[0]!, TIMED_OUT);
      expect(start()).to.have.length(1);
    });

    it('does not limit the first POSTs to proven endpoints there', () => {
      const { add, start, once } = aScheduler({ perOrigin: 4 });
      for (const endpointId of names('proven', 6)) once(endpointId, ANSWERED, AT_HOST);
      for (const endpointId of names('proven', 6)) add(endpointId, 4);
      expect(start()).to.have.length(24);
    });

    it('starts one POST at a time to an endpoint whose URL has changed to another origin', () => {
      const { add, start, end, once } = aScheduler();
      once('moved', ANSWERED, AT_HOST);
      add('moved', 9, { origin: 'https://elsewhere' });
      expect(start()).to.deep.equal(['moved']);
      end('moved', ANSWERED);
      expect(start()).to.deep.equal(times(4, 'moved'));
    });

    it('limits the POSTs of endpoints whose URL has changed to that origin', () => {
      const { add, start, pass, once } = aScheduler({ perOrigin: 8 });
      for (const endpointId of names('silent', 8)) once(endpointId, TIMED_OUT, AT_HOST);
      for (const endpointId of names('moved', 9)) once(endpointId, ANSWERED, { workspaceId: 'other' });
      for (const endpointId of names('silent', 8)) add(endpointId, 1);
      expect(start(), 'a quarter is left to others').to.have.length(6);
      for (const endpointId of names('moved', 9)) add(endpointId, 4, { ...AT_HOST, workspaceId: 'other' });
      expect(start(), 'as a workspace with none there').to.deep.equal(['moved0']);
      pass(1_000);
      add('late', 1, { ...AT_HOST, workspaceId: 'other' });
      once('elsewhere', ANSWERED, { workspaceId: 'other' });
      add('elsewhere', 1, { ...AT_HOST, workspaceId: 'other' });
      expect(start()).to.deep.equal([]);
    });

    it('takes an answer of the previous origin as no evidence for the new one', () => {
      const { add, start, end, once } = aScheduler();
      once('moved', ANSWERED, AT_HOST);
      add('moved', 2);
      expect(start()).to.have.length(2);
      add('moved', 9, { origin: 'https://elsewhere' });
      start(1);
      end('moved', ANSWERED);
      end('moved', ANSWERED);
      expect(start().length).to.be.at.most(1);
    });

    it('continues with proven endpoints there as long as the origin answers others', () => {
      const { add, start, end, once, pass } = aScheduler({ perOrigin: 4 });
      for (const endpointId of names('proven', 3)) once(endpointId, ANSWERED, AT_HOST);
      for (const endpointId of names('silent', 4)) once(endpointId, ANSWERED, AT_HOST);
      for (const endpointId of names('silent', 4)) add(endpointId, 1);
      add('proven0', 1);
      start();
      pass(1_000);
      add('proven1', 1);
      expect(start(), 'it answers no POST').to.deep.equal([]);
      end('proven0', ANSWERED);
      expect(start(), 'a slow answer proves nothing more').to.deep.equal(['proven1']);
      add('proven2', 1);
      expect(start()).to.deep.equal(['proven2']);
    });

    it('starts new endpoints there once the proven ones before them have had their turn', () => {
      const { add, start, end, once, pass } = aScheduler({ perOrigin: 4 });
      const [slow, proven] = [names('slow', 3), names('proven', 8)];
      for (const endpointId of [...slow, ...proven]) once(endpointId, ANSWERED, AT_HOST);
      add('new', 1, AT_HOST);
      start();
      end('new', null);
      for (const endpointId of slow) add(endpointId, 1);
      start();
      pass(1_001);
      for (const endpointId of ['new', ...proven]) add(endpointId, 1);
      expect(start(), 'at its limit').to.deep.equal([]);
      for (const endpointId of slow) end(endpointId, TOOK_LONG);
      const first = start();
      expect(first).to.have.members(proven.slice(0, 7));
      for (const endpointId of first) end(endpointId, ANSWERED);
      expect(start()).to.have.members(['proven7', 'new']);
    });

    it('starts the next endpoint there if the queue of the one before it is cleared', () => {
      const { tasks, start, end } = aFullHost('cleared');
      tasks.cutQueue('cleared', 0);
      end('elsewhere', ANSWERED);
      expect(start()).to.deep.equal(['waiting']);
    });
  });

  describe('with an endpoint whose URL was read while it waits for its old origin', () => {
    const ELSEWHERE = 'https://elsewhere';

    /** Four POSTs linger at a host, and two endpoints of other workspaces wait for their ends. */
    function aBlockedEndpoint() {
      const world = aScheduler({ perOrigin: 4 });
      const { tasks, time, add, start, once } = world;
      const all = [...names('silent', 4), 'moved', 'waiting'];
      for (const endpointId of all) once(endpointId, TIMED_OUT, { ...AT_HOST, workspaceId: endpointId });
      for (const endpointId of all) add(endpointId, 2);
      expect(start()).to.have.members(names('silent', 4));
      expect(tasks.figures().blocked).to.equal(2);
      const move = () => {
        add('moved', 0, { workspaceId: 'moved', origin: ELSEWHERE });
        tasks.learnOrigin('moved', ELSEWHERE, time.now);
      };
      return { ...world, move };
    }

    it('starts its jobs at the new one, those that were queued before included', () => {
      const { add, start, end, move } = aBlockedEndpoint();
      move();
      add('moved', 1);
      expect(start(), 'as a new endpoint').to.deep.equal(['moved']);
      end('moved', ANSWERED);
      expect(start()).to.deep.equal(times(2, 'moved'));
    });

    it('counts nothing more at the old one, and continues with the others there', () => {
      const { tasks, add, start, end, move } = aBlockedEndpoint();
      move();
      expect(start()).to.deep.equal(['moved']);
      for (const endpointId of names('silent', 4)) {
        tasks.cutQueue(endpointId, 0);
        end(endpointId, TIMED_OUT);
      }
      expect(start()).to.deep.equal(['waiting']);
      expect(tasks.figures()).to.include({ blocked: 0, lingering: 1, inFlight: 2 });
      for (const workspaceId of names('next', 4)) add(workspaceId, 1, { ...AT_HOST, workspaceId });
      expect(start(), 'up to the limit').to.have.length(3);
    });

    it('lets another one start at the old one if it was the next there', () => {
      const { tasks, time, add, start, end } = aFullHost('moved');
      add('moved', 0, { origin: ELSEWHERE });
      tasks.learnOrigin('moved', ELSEWHERE, time.now);
      end('elsewhere', ANSWERED);
      expect(start()).to.deep.equal(['moved']);
      end('moved', ANSWERED);
      expect(start()).to.deep.equal(['waiting']);
    });

    it('ignores a read from before its row was read with another origin', () => {
      const { tasks, time, add, start, once, pass } = aScheduler();
      once('moved', ANSWERED, AT_HOST);
      pass(1_000);
      once('moved', ANSWERED, { origin: ELSEWHERE });
      tasks.learnOrigin('moved', 'https://host', time.now - 1);
      add('moved', 4);
      expect(start(), 'it is still proven').to.deep.equal(times(4, 'moved'));
    });
  });

  describe('with several workspaces', () => {
    it('gives a slot to the workspace that uses the fewest', () => {
      const { add, start, end, once } = aScheduler({ prompt: 10 });
      for (const endpointId of names('big', 10)) once(endpointId, ANSWERED, { workspaceId: 'big' });
      once('small', ANSWERED, { workspaceId: 'small' });
      for (const endpointId of names('big', 10)) add(endpointId, 9);
      start();
      add('small', 4);
      expect(start(), 'the slot that was left free').to.deep.equal(['small']);
      for (const endpointId of names('big', 3)) end(endpointId, ANSWERED);
      expect(start()).to.deep.equal(times(3, 'small'));
    });

    it('lets workspaces that use the same take turns, and the endpoints of each', () => {
      const { add, start, end, once } = aScheduler({ prompt: 1, probation: 1 });
      for (const endpointId of ['a1', 'a2', 'b1'])
        once(endpointId, ANSWERED, { workspaceId: endpointId[0]! });
      for (const endpointId of ['a1', 'a2', 'b1']) add(endpointId, 3);
      const order: string[] = [];
      for (let [next] = start(); next !== undefined; [next] = start()) {
        order.push(next);
        end(next, ANSWERED);
      }
      expect(order.slice(0, 6)).to.deep.equal(['a1', 'b1', 'a2', 'b1', 'a1', 'b1']);
      expect(order).to.have.length(9);
    });

    it('gives a workspace that is alone eight ninths of the slots', () => {
      const { add, start, once } = aScheduler({ prompt: 90 });
      for (const endpointId of names('a', 50)) once(endpointId, ANSWERED);
      for (const endpointId of names('a', 50)) add(endpointId, 9);
      expect(start()).to.have.length(80);
    });

    it('leaves a free slot for another one, however many are busy', () => {
      const { add, start, once } = aScheduler();
      const busy = names('busy', 60);
      for (const endpointId of busy.flatMap((id) => names(`${id}-`, 10)))
        once(endpointId, ANSWERED, { workspaceId: endpointId.split('-')[0]! });
      once('idle', ANSWERED, { workspaceId: 'idle' });
      for (const endpointId of busy.flatMap((id) => names(`${id}-`, 10))) add(endpointId, 9);
      start();
      add('idle', 1);
      expect(start()).to.deep.equal(['idle']);
    });

    it('leaves slots of new endpoints free, too', () => {
      const { add, start } = aScheduler();
      for (const endpointId of names('a', 1_000)) add(endpointId, 1, { workspaceId: 'a' });
      start();
      add('b', 1, { workspaceId: 'b' });
      expect(start()).to.deep.equal(['b']);
    });
  });

  it('starts one job of slow endpoints and four of new ones in sixteen while there are endpoints that answer', () => {
    const { tasks, add, once, start } = aScheduler();
    const [quick, slow, unknown] = [names('quick', 40), names('slow', 20), names('new', 20)];
    for (const name of quick) once(name, ANSWERED, { workspaceId: name });
    for (const name of slow) once(name, TOOK_LONG, { workspaceId: name });
    for (const name of [...slow, ...unknown, ...quick]) add(name, 1, { workspaceId: name });
    const started = start(32);
    const countOf = (prefix: string) => started.filter((name) => name.startsWith(prefix)).length;
    expect(['quick', 'slow', 'new'].map(countOf)).to.deep.equal([22, 2, 8]);
    expect([...started, ...start()]).to.have.length(80);
    expect(tasks.next()).to.equal(null);
  });

  it('counts the workspaces whose jobs wait for this process alone', () => {
    const { tasks, add, once, start } = aScheduler({ prompt: 8 });
    for (const workspaceId of ['busy', 'waiting']) once(`${workspaceId}-1`, ANSWERED, { workspaceId });
    add('busy-1', 5);
    start();
    expect(tasks.awaitingStart()).to.equal(0);
    const awaiting = () => ['busy', 'waiting', 'new', 'none'].map(tasks.awaitingStartOf);
    add('waiting-1', 2);
    add('new-1', 1, { workspaceId: 'new' });
    expect([tasks.awaitingStart(), awaiting()]).to.deep.equal([1, [0, 1, 0, 0]]);
    start();
    expect([tasks.awaitingStart(), awaiting()]).to.deep.equal([0, [0, 0, 0, 0]]);
  });

  it('counts none of them while no slot is free', () => {
    const { tasks, add, once, start, end } = aScheduler({ prompt: 4 });
    for (const workspaceId of ['one', 'other']) once(`${workspaceId}-1`, ANSWERED, { workspaceId });
    add('one-1', 4);
    while (start().length > 0);
    add('other-1', 4);
    while (start().length > 0);
    expect(tasks.awaitingStart()).to.equal(0);
    end('one-1', ANSWERED);
    expect(tasks.awaitingStart()).to.equal(1);
  });

  it('counts no workspace that leaves the free slots to others', () => {
    const { tasks, add, once, start } = aScheduler({ prompt: 18 });
    const all = names('quick', 30);
    for (const name of all) once(name, ANSWERED);
    for (const name of all) add(name, 1);
    expect(start()).to.have.length(16);
    expect([tasks.awaitingStart(), tasks.awaitingStartOf('w')]).to.deep.equal([0, 0]);
    once('other', ANSWERED, { workspaceId: 'other' });
    add('other', 1);
    expect([tasks.awaitingStart(), tasks.awaitingStartOf('other')]).to.deep.equal([2, 1]);
  });

  it('cuts the queue of an endpoint and keeps what is in flight', () => {
    const { add, start, end, once, tasks } = aScheduler({ perEndpoint: 2 });
    once('a', ANSWERED);
    add('a', 5);
    start();
    expect(tasks.cutQueue('a', 1).map(({ number }) => number)).to.deep.equal([4, 5]);
    expect(tasks.cutQueue('a', 0).map(({ number }) => number)).to.deep.equal([3]);
    expect(tasks.cutQueue('unknown', 0)).to.deep.equal([]);
    expect(tasks.queued('a')).to.equal(0);
    end('a', ANSWERED);
    expect(start()).to.deep.equal([]);
    add('a', 1);
    expect(start()).to.deep.equal(['a']);
  });

  it('lists endpoints with work only', () => {
    const { add, start, end, tasks } = aScheduler();
    add('a', 1);
    add('b', 1);
    start();
    end('a', ANSWERED);
    add('c', 1);
    tasks.cutQueue('c', 0);
    expect([...tasks.endpoints()]).to.deep.equal(['b']);
    expect(tasks.standing('a'), 'of an endpoint without work').to.equal('proven');
  });

  describe('with large rows', () => {
    const LARGE = 2 ** 20;
    const limits = { bytes: 16 * LARGE };

    it('counts no workspace whose jobs wait for room as one that waits for this process', () => {
      const { add, once, start, tasks } = aScheduler(limits);
      const all = names('quick', 100);
      for (const name of all) once(name, ANSWERED, { workspaceId: name, bytes: LARGE });
      for (const name of all) add(name, 1);
      expect(start().length).to.be.within(16, 99);
      expect(tasks.awaitingStart()).to.equal(0);
    });

    it('counts no endpoint of a workspace that waits for room', () => {
      const { add, once, start, tasks } = aScheduler(limits);
      const all = names('quick', 100);
      for (const name of all) once(name, ANSWERED, { bytes: LARGE });
      for (const name of all) add(name, 1);
      expect(start().length).to.be.within(8, 99);
      expect(tasks.awaitingStartOf('w')).to.equal(0);
    });

    it('limits the bytes of a workspace whose endpoints do not answer, and starts others at once', () => {
      const { add, start, pass, tasks } = aScheduler(limits);
      for (const endpointId of names('silent', 200)) add(endpointId, 1, { bytes: LARGE });
      const silent = start();
      expect(silent.length).to.be.within(8, 9);
      pass(1_000);
      expect(start()).to.deep.equal([]);
      add('other', 1, { workspaceId: 'other', bytes: LARGE });
      expect(start()).to.deep.equal(['other']);
      expect(tasks.figures().inFlight).to.equal(silent.length + 1);
    });

    it('starts the waiting jobs as others end, each once', () => {
      const { add, start, end, tasks } = aScheduler(limits);
      const endpoints = names('large', 200);
      for (const endpointId of endpoints) add(endpointId, 1, { bytes: LARGE });
      const begun: string[] = [];
      for (let running = start(); running.length > 0; running = start()) {
        expect(running.length).to.be.at.most(9);
        begun.push(...running);
        for (const endpointId of running) end(endpointId, ANSWERED);
      }
      expect(tasks.figures().rowBytes).to.equal(0);
      expect(begun).to.have.members(endpoints).and.length(200);
    });

    it('takes a job again first, and once, that was put back because its row was not read', () => {
      const { add, start, end, tasks } = aScheduler(limits);
      add('a', 3, { bytes: LARGE });
      const first = tasks.next()!;
      tasks.putBack(first);
      expect(tasks.figures()).to.include({ inFlight: 0, rowBytes: 0 });
      expect(tasks.queued('a')).to.equal(3);
      expect(tasks.next()).to.equal(first);
      tasks.release(first, ANSWERED);
      const begun = start();
      for (const endpointId of begun) end(endpointId, ANSWERED);
      expect(begun).to.have.length(2);
      expect([...tasks.endpoints()]).to.deep.equal([]);
    });

    it('takes few jobs that would not fit', () => {
      const { add, start, end, tasks } = aScheduler(limits);
      for (const endpointId of names('large', 200)) add(endpointId, 1, { bytes: LARGE });
      const [first] = start();
      end(first!, ANSWERED);
      let taken = 0;
      while (tasks.next() !== null) taken += 1;
      expect(taken).to.be.within(1, 2);
    });
  });
});
