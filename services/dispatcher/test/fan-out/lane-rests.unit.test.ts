import { aDelivery, anEndpoint, idFor, WORKSPACE_ID } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import type { Piece } from '../../src/fan-out/fill-chunk.js';
import { createLaneRests } from '../../src/fan-out/lane-rests.js';
import { aLane, anOpenEvent, aReadEvent } from './events.js';

const OPENED = 1_000;

/** A piece of an event that was opened at the start of the world. */
const aPiece = (rows: number, { workspaceId = WORKSPACE_ID as string, bytes = 2_048 } = {}) => {
  const event = anOpenEvent({ event: aReadEvent({ workspaceId }), readAt: OPENED });
  const planned = { row: aDelivery(), endpoint: anEndpoint(), endpointReadAt: 0, bytes };
  return { event, rows: Array(rows).fill(planned), held: [], after: null, isLast: false, damaged: null };
};

function aWorld() {
  const world = {
    time: OPENED,
    spacing: 1,
    areUnstartedMany: false,
    withShare: new Set<string>(),
    areBehind: false,
    started: 0,
    behindFor: '',
  };
  const rests = createLaneRests({
    spacing: () => world.spacing,
    unstartedRows: {
      areMany: () => world.areUnstartedMany,
      hasShare: (workspaceId) => world.withShare.has(workspaceId),
    },
    starts: {
      areBehind: () => world.areBehind,
      areBehindFor: (workspaceId) => world.behindFor === workspaceId,
      count: () => world.started,
    },
    monotonicMs: () => world.time,
  });
  const large = aLane();
  const others = (count: number) => {
    const lanes = Array.from({ length: count }, (_, n) => aLane({ workspaceId: idFor('workspace', `${n}`) }));
    rests.begin(
      lanes,
      lanes.map(({ workspaceId }) => aPiece(1, { workspaceId })),
    );
  };
  /** How long the large workspace rests from now on, to a twentieth of a millisecond. */
  const rest = () => {
    const started = world.time;
    while (rests.awake([large]).next().done) world.time += 0.05;
    const lasted = world.time - started;
    world.time = started;
    return lasted;
  };
  /** How long it rests after a chunk with these pieces. */
  const restAfterPieces = (...pieces: readonly Piece[]) => {
    rests.begin([large], pieces);
    return rest();
  };
  /** How long it rests after a chunk with so many rows of each of its events. */
  const restAfter = (...rows: readonly number[]) => restAfterPieces(...rows.map((count) => aPiece(count)));
  return Object.assign(world, { rests, large, others, rest, restAfter, restAfterPieces });
}

describe('rests of lanes', () => {
  it('last 3 ms for each row of events with many, beside at least ten other workspaces in a busy process', () => {
    const { others, restAfter } = aWorld();
    others(10);
    expect(restAfter(100)).to.be.closeTo(300, 0.1);
    expect(restAfter(40, 60)).to.be.closeTo(300, 0.1);
    others(500);
    expect(restAfter(100)).to.be.closeTo(300, 0.1);
  });

  it('are shorter beside fewer workspaces and in a process with time left, and there are none for one alone', () => {
    const world = aWorld();
    expect(world.restAfter(100)).to.equal(0);
    world.others(2);
    expect(world.restAfter(100)).to.be.closeTo(60, 0.1);
    world.spacing = 0.5;
    expect(world.restAfter(100)).to.be.closeTo(30, 0.1);
    world.spacing = 0;
    expect(world.restAfter(100)).to.equal(0);
  });

  it('are not caused by events with few rows, however many', () => {
    const { others, restAfter } = aWorld();
    others(10);
    expect(restAfter(19, 19, 19, 19, 19)).to.equal(0);
    expect(restAfter(19, 20)).to.be.closeTo(60, 0.1);
  });

  it('are caused by few rows with large payloads, and last as long as the bytes deserve', () => {
    const { others, restAfterPieces } = aWorld();
    others(10);
    const KIB = 1_024;
    expect(restAfterPieces(aPiece(16, { bytes: 256 * KIB }))).to.be.closeTo(1_536, 0.1);
    expect(restAfterPieces(aPiece(40, { bytes: 100 * KIB }))).to.be.closeTo(1_500, 0.1);
    expect(restAfterPieces(aPiece(1, { bytes: 100 * KIB }))).to.equal(0);
  });

  it('continue when the workspace has no events for a while, and when its next event comes', () => {
    const world = aWorld();
    world.others(10);
    world.restAfter(400);
    world.time += 1_100;
    world.others(10);
    const next = aLane({ workspaceId: world.large.workspaceId });
    expect([...world.rests.awake([next])]).to.deep.equal([]);
    expect(world.rest()).to.be.closeTo(100, 0.1);
  });

  it('are not caused by an event that has been open for two seconds, so that a lasting load loses no throughput', () => {
    const world = aWorld();
    world.time += 1_999;
    world.others(10);
    expect(world.restAfter(100)).to.be.closeTo(300, 0.1);
    world.time += 1;
    expect(world.restAfter(100)).to.equal(0);
  });

  it('do not count workspaces whose last turn was more than a second ago', () => {
    const world = aWorld();
    world.others(10);
    world.time += 900;
    world.others(4);
    world.time += 200;
    expect(world.restAfter(100)).to.be.closeTo(120, 0.1);
  });

  it('also count the other workspaces of the same chunk', () => {
    const { rests, large, rest } = aWorld();
    const others = Array.from({ length: 10 }, (_, n) => aLane({ workspaceId: idFor('workspace', `${n}`) }));
    rests.begin([large, ...others], [aPiece(100)]);
    expect(rest()).to.be.closeTo(300, 0.1);
  });

  it('last while sending is behind, for workspaces with a backlog of events or their share of the unstarted rows', () => {
    const world = aWorld();
    const laneOf = (name: string, events: number) =>
      aLane({
        workspaceId: idFor('workspace', name),
        events: Array.from({ length: events }, () => anOpenEvent()),
      });
    const lanes = [laneOf('few', 3), laneOf('backlog', 4), laneOf('share', 1)];
    world.withShare.add(idFor('workspace', 'share'));
    expect([...world.rests.awake(lanes)]).to.deep.equal(lanes);
    world.areUnstartedMany = true;
    expect([...world.rests.awake(lanes)]).to.deep.equal(lanes.slice(0, 1));
    world.areUnstartedMany = false;
    expect([...world.rests.awake(lanes)]).to.deep.equal(lanes);
  });

  describe('while attempts wait for the process alone', () => {
    const other = aLane({ workspaceId: idFor('workspace', 'other') });
    const awakeIn = ({ rests, large }: ReturnType<typeof aWorld>) => [...rests.awake([large, other])];

    it('last for all if many workspaces have some, until twice as many have started as rows were stored', () => {
      const world = aWorld();
      world.areBehind = true;
      expect(awakeIn(world)).to.deep.equal([]);
      world.started += 1;
      expect(awakeIn(world)).to.deep.equal([world.large, other]);
      world.rests.begin([world.large, other], [aPiece(10), aPiece(5, { workspaceId: other.workspaceId })]);
      world.started += 28;
      expect(awakeIn(world)).to.deep.equal([]);
      world.started += 2;
      expect(awakeIn(world)).to.deep.equal([world.large, other]);
    });

    it('last for a workspace if many of its endpoints have some', () => {
      const world = aWorld();
      world.behindFor = world.large.workspaceId;
      world.started = 1;
      world.rests.begin([world.large, other], [aPiece(10), aPiece(5, { workspaceId: other.workspaceId })]);
      expect(awakeIn(world)).to.deep.equal([other]);
      world.started += 18;
      expect(awakeIn(world)).to.deep.equal([other]);
      world.started += 2;
      expect(awakeIn(world)).to.deep.equal([world.large, other]);
    });

    it('make up for 500 rows at most, and for none once the process has caught up', () => {
      const world = aWorld();
      world.areBehind = true;
      for (let chunk = 0; chunk < 3; chunk += 1) world.rests.begin([world.large], [aPiece(500)]);
      world.started = 1_000;
      expect(awakeIn(world)).to.deep.equal([]);
      world.areBehind = false;
      expect(awakeIn(world)).to.deep.equal([world.large, other]);
      world.areBehind = true;
      world.started += 2;
      expect(awakeIn(world)).to.deep.equal([world.large, other]);
    });
  });

  it('are looked up for 1,000 resting lanes at most, however many rest', () => {
    const world = aWorld();
    const lanes = [999, 1_000].map((resting) => [
      ...Array.from({ length: resting }, () => world.large),
      aLane({ workspaceId: idFor('workspace', 'fresh') }),
    ]);
    world.others(10);
    world.restAfter(100);
    expect(lanes.map((some) => [...world.rests.awake(some)].length)).to.deep.equal([1, 0]);
  });

  it('leave out the resting lanes and no others', () => {
    const world = aWorld();
    const fresh = aLane({ workspaceId: idFor('workspace', 'fresh') });
    world.others(10);
    world.restAfter(100);
    expect([...world.rests.awake([world.large, fresh])]).to.deep.equal([fresh]);
    world.time += 300;
    expect([...world.rests.awake([world.large, fresh])]).to.deep.equal([world.large, fresh]);
  });
});
