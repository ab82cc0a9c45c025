import { expect } from 'chai';
import type { StatStep } from '../../src/domain/delivery-stats.js';
import { createStatsCollector, pauseAfterFlush } from '../../src/platform/collect-stats.js';
import type { StatChanges } from '../../src/ports/delivery-stats.js';
import { nextTurn } from '../../src/runtime/turns.js';
import { ENDPOINT_ID, idFor, later, NOON, WORKSPACE_ID } from '../../src/testing/builders.js';
import { eventually } from '../../src/testing/eventually.js';

const OTHER = idFor('endpoint', 'other');
const delivered = (at: Date): StatStep[] => [{ at, field: 'delivered', by: 1, isLate: false }];

describe('collector of counts', () => {
  function collector(
    addStats: (changes: StatChanges) => Promise<void> = async () => {},
    flushEveryMs = 60_000,
  ) {
    const stored: StatChanges[] = [];
    const results = { stored: 0, lost: 0 };
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const made = createStatsCollector({
      flushEveryMs,
      log,
      async addStats(changes) {
        await addStats(changes);
        stored.push(changes);
      },
    });
    made.countWith((result, hours) => {
      results[result] += hours;
    });
    return { ...made, stored, results };
  }

  it('stores one change for each endpoint, workspace and hour', async () => {
    const { add, close, stored, results } = collector();
    for (const endpointId of [ENDPOINT_ID, OTHER, ENDPOINT_ID])
      add({ endpointId, workspaceId: WORKSPACE_ID }, [...delivered(NOON), ...delivered(later(3_600_000))]);
    await close(1_000);
    const [changes] = stored;
    const shown = (all: readonly { owner: string; hour: Date; fields: ReadonlyMap<string, number> }[]) =>
      all.map(({ owner, hour, fields }) => [owner, hour.getUTCHours(), Object.fromEntries(fields)]);
    expect(shown(changes!.endpoints)).to.deep.equal([
      [ENDPOINT_ID, 12, { delivered: 2 }],
      [OTHER, 12, { delivered: 1 }],
      [ENDPOINT_ID, 13, { delivered: 2 }],
      [OTHER, 13, { delivered: 1 }],
    ]);
    expect(shown(changes!.workspaces)).to.deep.equal([
      [WORKSPACE_ID, 12, { delivered: 3 }],
      [WORKSPACE_ID, 13, { delivered: 3 }],
    ]);
    expect(results).to.deep.equal({ stored: 6, lost: 0 });
  });

  it('looks at the counts of many endpoints in several turns of the event loop', async () => {
    const { add, close, stored } = collector();
    for (const index of Array.from({ length: 10_500 }).keys())
      add({ endpointId: idFor('endpoint', `${index}`), workspaceId: WORKSPACE_ID }, delivered(NOON));
    let turns = 0;
    const closed = close(1_000);
    while (stored.length === 0) {
      turns += 1;
      await nextTurn();
    }
    await closed;
    expect(turns).to.be.at.least(5);
    expect(stored[0]!.workspaces[0]!.fields.get('delivered')).to.equal(10_500);
    expect(stored.flatMap(({ endpoints }) => endpoints)).to.have.length(10_500);
  });

  it('stores many counts in parts during half of the pause, and continues after a part that fails', async () => {
    const times: number[] = [];
    const addStats = async () => {
      times.push(performance.now());
      if (times.length === 2) throw new Error('away');
    };
    const { add, stored, results } = collector(addStats, 100);
    for (const index of Array.from({ length: 2_000 }).keys())
      add({ endpointId: idFor('endpoint', `${index}`), workspaceId: WORKSPACE_ID }, delivered(NOON));
    await eventually(async () => expect(results).to.deep.equal({ stored: 1_751, lost: 250 }));
    expect(stored).to.have.length(7);
    // Timers may fire a millisecond early.
    expect(times.at(-1)! - times[0]!).to.be.at.least(100 * (7 / 8) - 7);
  });

  it('counts what could not be stored as lost, and continues', async () => {
    let isAway = true;
    const { add, close, stored, results } = collector(async () => {
      if (isAway) throw new Error('away');
    });
    add({ endpointId: ENDPOINT_ID, workspaceId: WORKSPACE_ID }, delivered(NOON));
    await close(1_000);
    isAway = false;
    add({ endpointId: OTHER, workspaceId: WORKSPACE_ID }, delivered(NOON));
    await close(1_000);
    expect(results).to.deep.equal({ stored: 2, lost: 2 });
    expect(stored).to.have.length(1);
  });

  it('collects longer after it has stored many counts, for 10 s at most', () => {
    const pausesAfter = (flushEveryMs: number) =>
      [0, 1_000, 1_500, 12_000, 200_000].map((counts) => pauseAfterFlush(counts, flushEveryMs));
    expect(pausesAfter(5_000)).to.deep.equal([5_000, 5_000, 7_500, 10_000, 10_000]);
    expect(pausesAfter(100)).to.deep.equal([100, 100, 150, 1_200, 10_000]);
    expect(pausesAfter(10_000)).to.deep.equal([10_000, 10_000, 10_000, 10_000, 10_000]);
  });

  it('never collects for a shorter time than its interval', () => {
    expect(pauseAfterFlush(200_000, 60_000)).to.equal(60_000);
  });
});
