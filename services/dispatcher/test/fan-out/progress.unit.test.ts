import { eventKey } from '@postrider/shared/domain/event-key';
import type { EndpointId } from '@postrider/shared/domain/id';
import type { FanOutProgress } from '@postrider/shared/ports/fan-out';
import { idFor } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import type { Piece } from '../../src/fan-out/fill-chunk.js';
import type { OpenEvent } from '../../src/fan-out/open-event.js';
import { createProgress } from '../../src/fan-out/progress.js';
import { aLog } from '../engine/builders.js';
import { anOpenEvent, aReadEvent } from './events.js';

const [FIRST, SECOND, THIRD] = ['a', 'b', 'c'].map((name) => idFor('endpoint', name)).sort() as [
  EndpointId,
  EndpointId,
  EndpointId,
];
const KEY = eventKey(aReadEvent().payload);

/** Progress over a store in memory, which may fail. */
function aProgress(stored: readonly (readonly [string, FanOutProgress])[] = []) {
  const world = {
    reads: 0,
    failure: null as Error | null,
    saved: [] as (readonly [string, FanOutProgress])[][],
  };
  const log = aLog();
  const progress = createProgress({
    store: {
      async progressOf() {
        world.reads += 1;
        return new Map(stored);
      },
      async saveProgress(all) {
        if (world.failure !== null) throw world.failure;
        world.saved.push([...all]);
      },
    },
    log,
  });
  return Object.assign(world, { progress, log });
}

const pieceOf = (event: OpenEvent, after: EndpointId | null, isLast = false): Piece => {
  return { event, rows: [], held: [], after, isLast, damaged: null };
};

describe('the progress of a large event', () => {
  it('is stored up to the last piece before which all have ended', async () => {
    const { progress, saved } = aProgress();
    const event = anOpenEvent({ isLarge: true });
    const pieces = [pieceOf(event, FIRST), pieceOf(event, SECOND), pieceOf(event, THIRD, true)];
    const [first, second, third] = pieces.map((piece) => progress.begin(piece)!);
    second!.isReached = true;
    await progress.save([event.completion]);
    expect(saved).to.deep.equal([]);
    first!.isReached = true;
    await progress.save([event.completion]);
    await progress.save([event.completion]);
    expect(saved).to.deep.equal([[[KEY, { after: SECOND, isComplete: false }]]]);
    third!.isReached = true;
    await progress.save([event.completion]);
    expect(saved.slice(1)).to.deep.equal([[[KEY, { after: THIRD, isComplete: true }]]]);
  });

  it('has no checkpoint for other events, without subscribers, or from a damaged one on', () => {
    const { progress } = aProgress();
    const event = anOpenEvent({ isLarge: true });
    expect(progress.begin(pieceOf(anOpenEvent(), FIRST))).to.equal(null);
    expect(progress.begin(pieceOf(event, null))).to.equal(null);
    event.completion.damaged = FIRST;
    expect(progress.begin(pieceOf(event, FIRST))).to.equal(null);
    expect(event.completion.checkpoints).to.deep.equal([]);
  });

  it('is continued from where another process stopped', async () => {
    const { progress } = aProgress([[KEY, { after: SECOND, isComplete: false }]]);
    const [begun, fresh] = [anOpenEvent(), anOpenEvent({ event: aReadEvent({ name: 'fresh' }) })];
    expect(await progress.restore([begun, fresh])).to.deep.equal([]);
    expect([begun.after, fresh.after]).to.deep.equal([SECOND, null]);
    expect([begun.isLarge, fresh.isLarge]).to.deep.equal([true, true]);
  });

  it('shows which events another process completed', async () => {
    const { progress } = aProgress([[KEY, { after: THIRD, isComplete: true }]]);
    const event = anOpenEvent();
    expect(await progress.restore([event])).to.deep.equal([event]);
  });

  it('is not read if no large event begins', async () => {
    const world = aProgress();
    expect(await world.progress.restore([])).to.deep.equal([]);
    expect(world.reads).to.equal(0);
  });

  it('fails no event if it cannot be stored', async () => {
    const world = aProgress();
    const event = anOpenEvent({ isLarge: true });
    world.progress.begin(pieceOf(event, FIRST))!.isReached = true;
    world.failure = new Error('away');
    await world.progress.save([event.completion]);
    expect(world.log.lines).to.deep.equal(['warn fan_out.progress']);
  });
});
