import type { Backlog } from '@postrider/shared/ports/backlog';
import { expect } from 'chai';
import { recoveryFrom } from '../src/recovery.js';

const ROWS: Backlog = { due: async () => [], overdueEndpoints: async () => ['whe_1'] };

describe('healing through rows', () => {
  it('finds overdue rows', () => {
    expect(recoveryFrom(['attempt.settle:3'], ROWS)).to.equal(ROWS);
  });

  it('finds none when a test has switched it off, and feeds parked endpoints all the same', async () => {
    const blind = recoveryFrom(['rows.reconcile:off'], ROWS);
    expect(await blind.overdueEndpoints(new Date())).to.deep.equal([]);
    expect(blind.due).to.equal(ROWS.due);
  });
});
