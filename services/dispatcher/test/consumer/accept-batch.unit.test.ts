import { createTopicNames } from '@postrider/shared/kafka/topic-names';
import { expect } from 'chai';
import type { Batch } from 'kafkajs';
import { createAcceptBatch } from '../../src/consumer/accept-batch.js';
import { createMembership } from '../../src/consumer/membership.js';
import { createEntriesWithoutKeys } from '../../src/offsets/open-entries.js';
import { createOpenOffsets } from '../../src/offsets/open-offsets.js';
import { createTrackNew } from '../../src/offsets/track-new.js';

const log = { debug() {}, info() {}, warn() {}, error() {} };

/** A batch of messages of partition 0, and a control record behind them. */
function aBatch(...offsets: number[]): Batch {
  const batch = {
    topic: 'events',
    partition: 0,
    messages: offsets.map((offset) => ({ offset: String(offset), timestamp: '0', key: null, value: null })),
    lastOffset: () => String(Math.max(...offsets) + 1),
  };
  return batch as unknown as Batch;
}

/** A member of a group that accepts batches. `joins` is called whenever it waits for the next turn. */
function aMember() {
  const world = { joins: () => {}, accepted: [] as number[], resolved: [] as string[] };
  const outdated = new Set<object>();
  const fetched = new Set<object>();
  const offsets = createOpenOffsets(createEntriesWithoutKeys);
  const membership = createMembership(offsets.assign);
  const trackNew = createTrackNew({ offsets, log });
  const acceptBatch = createAcceptBatch({
    names: createTopicNames(''),
    accept(record) {
      if (trackNew(record, null)) world.accepted.push(record.offset);
    },
    turn: { isOver: () => true, wait: async () => world.joins() },
    isOutdated: (batch) => outdated.has(batch),
  });
  return Object.assign(world, {
    positions: offsets.positions,
    fetch(batch: Batch) {
      fetched.add(batch);
      return batch;
    },
    join(memberId: string) {
      membership(memberId, [0]);
      for (const batch of fetched) outdated.add(batch);
    },
    handle: (batch: Batch) =>
      acceptBatch({ batch, resolveOffset: (offset) => void world.resolved.push(offset) }),
  });
}

describe('accepting a batch', () => {
  it('accepts its records and resolves its last offset', async () => {
    const member = aMember();
    member.join('member-1');
    await member.handle(member.fetch(aBatch(10, 11)));
    expect(member).to.deep.include({ accepted: [10, 11], resolved: ['12'] });
  });

  // Regression: the records from the committed offset on were skipped, because a batch behind them was accepted first.
  it('leaves out a batch that was fetched before the member joined again under another id', async () => {
    const member = aMember();
    member.join('member-1');
    await member.handle(member.fetch(aBatch(10, 20)));
    const late = member.fetch(aBatch(21));
    member.join('member-2');
    await member.handle(late);
    expect(member.positions()).to.deep.equal([]);
    await member.handle(member.fetch(aBatch(10, 20, 21)));
    expect(member).to.deep.include({ accepted: [10, 20, 10, 20, 21], resolved: ['21', '22'] });
    expect(member.positions()).to.deep.equal([{ topic: 'events', partition: 0, offset: 10 }]);
  });

  it('stops at a join during a batch, and does not resolve it', async () => {
    const member = aMember();
    member.join('member-1');
    const batch = member.fetch(aBatch(10, 11, 12));
    member.joins = () => {
      if (member.accepted.length === 2) member.join('member-2');
    };
    await member.handle(batch);
    expect(member).to.deep.include({ accepted: [10, 11], resolved: [] });
    expect(member.positions()).to.deep.equal([]);
  });
});
