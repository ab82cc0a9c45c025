import { idFor } from '@postrider/shared/testing/builders';
import { eventually } from '@postrider/shared/testing/eventually';
import { aWorkspace } from '@postrider/shared/testing/workspace-builders';
import { expect } from 'chai';
import type { Mutate, Transaction } from '../src/ports/unit-of-work.js';
import { startResumingRevocations } from '../src/resume-revocations.js';
import { newId } from './api-world.js';
import { recordedLog } from './recorded-log.js';

describe('interrupted revocations', () => {
  it('are continued when two searches in a row find them', async () => {
    const searches: number[] = [];
    const resumed: number[] = [];
    const mutate: Mutate = async () => {
      resumed.push(searches.length);
      return 'done' as never;
    };
    const log = recordedLog();
    const { stop } = startResumingRevocations({
      deps: { mutate, clock: { now: () => new Date() }, newId },
      async findPending(after) {
        if (after !== null) return null;
        searches.push(searches.length);
        return [1, 3, 4].includes(searches.length) ? aWorkspace() : null;
      },
      everyMs: 5,
      log,
    });
    await eventually(() => expect(searches.length).to.be.above(5));
    stop();
    expect(resumed).to.deep.equal([4]);
    expect(log.lines.map(({ level }) => level)).to.deep.equal(['info']);
  });

  // Regression: the same workspace was found in each search.
  it('are continued in the workspaces behind one that stays pending', async () => {
    const pending = ['first', 'second'].map((name) => aWorkspace({ id: idFor('workspace', name) }));
    const [failing, other] = pending.map(({ id }) => id).toSorted();
    const resumed: string[] = [];
    const mutate = async (_call: unknown, work: (tx: Transaction) => Promise<unknown>) => {
      const findTokens = async (workspaceId: string) => {
        resumed.push(workspaceId);
        if (workspaceId === failing) throw new Error('conflict');
        return [];
      };
      await work({ tokens: { pending: findTokens } } as unknown as Transaction);
      return 'done' as never;
    };
    const { stop } = startResumingRevocations({
      deps: { mutate, clock: { now: () => new Date() }, newId },
      async findPending(after) {
        const sorted = pending.toSorted((a, b) => (a.id < b.id ? -1 : 1));
        return sorted.find(({ id }) => after === null || id > after) ?? null;
      },
      everyMs: 5,
      log: recordedLog(),
    });
    await eventually(() => expect(resumed).to.include.members([failing, other]));
    stop();
  });
});
