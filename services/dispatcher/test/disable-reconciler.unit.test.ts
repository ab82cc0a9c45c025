import type { Backlog } from '@postrider/shared/ports/backlog';
import { collect } from '@postrider/shared/testing/collect';
import { expect } from 'chai';
import { disableReconciler } from '../src/disable-reconciler.js';

const PAGES = (async function* () {
  yield ['whe_1'];
})();
const ROWS: Backlog = {
  due: async () => [],
  overdueEndpoints: () => PAGES,
  workspacesOf: async () => new Map(),
};

describe('disableReconciler', () => {
  it('returns the backlog unchanged without the switch', () => {
    expect(disableReconciler(['attempt.settle:3'], ROWS)).to.equal(ROWS);
  });

  it('finds no overdue endpoints with the switch off, but still feeds parked endpoints', async () => {
    const blind = disableReconciler(['rows.reconcile:off'], ROWS);
    expect(await collect(blind.overdueEndpoints(new Date()))).to.deep.equal([]);
    expect(blind.due).to.equal(ROWS.due);
  });
});
