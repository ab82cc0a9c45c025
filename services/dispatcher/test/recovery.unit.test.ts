import type { Backlog } from '@postrider/shared/ports/backlog';
import { expect } from 'chai';
import { recoveryFrom } from '../src/recovery.js';

const ROWS: Backlog = { due: async () => [], overdueEndpoints: async () => ['whe_1'] };

describe('recoveryFrom', () => {
  it('returns the backlog unchanged without the switch', () => {
    expect(recoveryFrom(['attempt.settle:3'], ROWS)).to.equal(ROWS);
  });

  it('finds no overdue endpoints with the switch off, but still feeds parked endpoints', async () => {
    const blind = recoveryFrom(['rows.reconcile:off'], ROWS);
    expect(await blind.overdueEndpoints(new Date())).to.deep.equal([]);
    expect(blind.due).to.equal(ROWS.due);
  });
});
