import type { PartitionRecord } from '@postrider/shared/kafka/partition-reader';
import { NotAppended, type OutgoingMessage } from '@postrider/shared/ports/queue';
import { expect } from 'chai';
import { readOffsets } from '../../src/admin/read-offsets.js';
import { createRepublish } from '../../src/admin/republish.js';
import { republishSelected } from '../../src/admin/republish-quarantined.js';
import type { Republishable } from '../../src/admin/republishable.js';

function anEvent(eventId: string, { reason = 'late', bytes = 1 } = {}): Republishable {
  const message = { topic: 'workspace.events', key: 'ws_1', value: Buffer.alloc(bytes), headers: {} };
  return { message, eventId, type: null, workspaceId: 'ws_1', place: '0/7', reason };
}

describe('republishing', () => {
  it('reports only the events that were published, and then what failed', async () => {
    const lines: string[] = [];
    const publish = async () => {
      throw new NotAppended(new Set([1]), { cause: null });
    };
    const error = await createRepublish(
      publish,
      (line) => void lines.push(line),
    )([anEvent('evt_1'), anEvent('evt_2')]).catch((thrown: Error) => thrown);
    expect(lines).to.deep.equal(['evt_1 - ws_1 0/7 late']);
    expect(error).to.have.property('name', 'ProblemsFound');
    expect(error).to.have.property('message').that.includes('run the command again');
  });

  it('divides events into batches that brokers accept, and keeps a large one alone', async () => {
    const sizes: number[] = [];
    const publish = async (messages: readonly OutgoingMessage[]) => void sizes.push(messages.length);
    const sized = [100, 100, 100, 900, 10].map((kib) => anEvent('evt_1', { bytes: kib * 1_024 }));
    await createRepublish(publish, () => {})(sized);
    expect(sizes).to.deep.equal([2, 1, 1, 1]);
  });

  it('prints a line without control characters of the message', async () => {
    const lines: string[] = [];
    const report = (line: string) => void lines.push(line);
    await createRepublish(null, report)([anEvent('evt_1', { reason: 'no\n\u001b[31mtype' })]);
    expect(lines).to.deep.equal(['evt_1 - ws_1 0/7 no  [31mtype']);
  });
});

describe('republishing from the quarantine', () => {
  // Regression: all lines were kept in memory until the end, and a killed command had printed none of them.
  it('prints the lines of events before it reads further ones, also on a terminal with a bar', async () => {
    const printed: string[] = [];
    const printedBefore: number[] = [];
    const headers = { 'origin-topic': 'workspace.events', 'origin-partition': '1', 'origin-offset': '7' };
    const reader = {
      async fetch(positions: ReadonlyMap<number, number>) {
        printedBefore.push(printed.length);
        const offset = positions.get(0)!;
        const value = Buffer.from(String(offset));
        const record = { partition: 0, offset, timestamp: 0, key: null, value, headers };
        return { records: [record], positions: new Map([[0, offset + 1]]) };
      },
    };
    const drawn: unknown[] = [];
    const bar = { isTTY: true, write: (text: unknown) => drawn.push(text) };
    const { events } = await republishSelected(
      { stored: new Map([[0, { from: 0, until: 3 }]]), reader, publish: async () => {} },
      {
        selection: { sinceMs: 0, type: undefined, workspaceId: undefined },
        dryRun: false,
        terminal: { print: (line) => printed.push(line), printError() {}, bar: bar as never },
      },
    );
    expect(events).to.equal(3);
    expect(printedBefore).to.deep.equal([0, 1, 2]);
    expect(drawn, 'which the lines would interrupt').to.deep.equal([]);
  });
});

describe('reading offsets', () => {
  const record = (offset: number): PartitionRecord => ({
    ...{ partition: 0, offset, timestamp: 0, key: null, value: null, headers: {} },
  });
  /** A topic with one partition of so many messages, of which a fetch returns two. */
  const topicOf = (count: number) => ({
    async fetch(positions: ReadonlyMap<number, number>) {
      const from = positions.get(0)!;
      const records = [from, from + 1].filter((offset) => offset < count).map(record);
      return { records, positions: new Map([[0, from + records.length]]) };
    },
  });
  const read = async (reader: ReturnType<typeof topicOf>, until: number, monotonicMs = () => 0) => {
    const offsets: number[] = [];
    const range = new Map([[0, { from: 3, until }]]);
    for await (const records of readOffsets({ reader, monotonicMs }, range))
      offsets.push(...records.map(({ offset }) => offset));
    return offsets;
  };

  it('ends at the given offset, though the topic has grown', async () => {
    expect(await read(topicOf(9), 6)).to.deep.equal([3, 4, 5]);
    expect(await read(topicOf(9), 3)).to.deep.equal([]);
  });

  it('gives up once nothing was read for 30 s', async () => {
    let nowMs = 0;
    const later = () => {
      nowMs += 10_000;
      return nowMs;
    };
    const error = await read(topicOf(5), 6, later).catch(({ message }: Error) => message);
    expect(error).to.include('returned no message of partition 0 for 30 s');
  });
});
