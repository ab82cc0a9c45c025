import { DAY_MS } from '@postrider/shared/domain/durations';
import type { EndpointId, WorkspaceId } from '@postrider/shared/domain/id';
import type { RecountPosition, RecountStore } from '@postrider/shared/ports/delivery-stats';
import { later, NOON } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { recountStats } from '../src/recount-stats.js';

const PAGE_MS = 60_000;
const ENDPOINTS_PER_PAGE = 2;
/** A run begins three pages. */
const BUDGET_MS = 2.5 * PAGE_MS;

const log = { debug() {}, info() {}, warn() {}, error() {} };

/** A store in which only counting rows takes time: the few rows of a page of endpoints. @param sizes the endpoints of each workspace: a0, a1, …, b0, … */
function aRecount(sizes: Readonly<Record<string, number>>) {
  let now = NOON;
  let position: RecountPosition | null = null;
  const counted: string[] = [];
  const compared: string[] = [];
  const isBehind = (workspaceId: string, endpointId: string) =>
    position === null ||
    workspaceId > position.workspaceId ||
    (workspaceId === position.workspaceId &&
      position.unfinished !== null &&
      endpointId > (position.endpointId ?? ''));
  const store: RecountStore = {
    async *endpoints() {
      for (const [name, size] of Object.entries(sizes)) {
        const ids = Array.from({ length: size }, (_, index) => `${name}${index}` as EndpointId);
        const left = ids.filter((id) => isBehind(name, id));
        for (let from = 0; from < left.length; from += ENDPOINTS_PER_PAGE)
          yield {
            workspaceId: name as WorkspaceId,
            endpointIds: left.slice(from, from + ENDPOINTS_PER_PAGE),
          };
      }
    },
    endpointHours: async () => new Map(),
    workspaceHours: async () => new Map(),
    async countRows({ endpointIds }) {
      now = later(PAGE_MS, now);
      counted.push(...endpointIds);
      return { counted: new Map(), unreadable: [], last: null };
    },
    replaceEndpoints: async () => ({ replaced: 0, rejected: [] }),
    async replaceWorkspace(workspaceId) {
      compared.push(workspaceId);
      return { replaced: 0, rejected: [] };
    },
    position: async () => position,
    async savePosition(saved) {
      position = saved;
    },
    removeBefore: async () => 0,
  };
  return {
    /** The run of the next night. @returns which endpoints it counted, and of which workspaces it compared the counts */
    async run() {
      now = later(DAY_MS, now);
      counted.length = 0;
      compared.length = 0;
      const { isFinished } = await recountStats({
        store,
        clock: { now: () => now },
        monotonicMs: () => now.getTime(),
        retentionMs: 30 * DAY_MS,
        budgetMs: BUDGET_MS,
        log,
      });
      return { counted: counted.join(' '), compared: compared.join(' '), isFinished };
    },
  };
}

describe('a recount whose time is up', () => {
  it('is continued the next night, and begins again after its end', async () => {
    const { run } = aRecount({ a: 2, b: 2, c: 2, d: 2 });
    expect(await run()).to.deep.equal({ counted: 'a0 a1 b0 b1 c0 c1', compared: 'a b c', isFinished: false });
    expect(await run()).to.deep.equal({ counted: 'd0 d1', compared: 'd', isFinished: true });
    expect((await run()).compared).to.equal('a b c');
  });

  it('continues within a workspace, and compares its counts once all of its endpoints are done', async () => {
    const { run } = aRecount({ a: 8, b: 2 });
    expect(await run()).to.deep.equal({ counted: 'a0 a1 a2 a3 a4 a5', compared: '', isFinished: false });
    expect(await run()).to.deep.equal({ counted: 'a6 a7 b0 b1', compared: 'a b', isFinished: true });
    expect((await run()).counted, 'from the beginning').to.equal('a0 a1 a2 a3 a4 a5');
  });
});
