import { eventually } from '@postrider/shared/testing/eventually';
import { aWorkspace } from '@postrider/shared/testing/workspace-builders';
import { expect } from 'chai';
import type { Mutate } from '../src/ports/unit-of-work.js';
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
      async findPending() {
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
});
