import { DAY_MS, HOUR_MS } from '@postrider/shared/domain/durations';
import { later, NOON } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { closedHours } from '../src/closed-hours.js';

describe('the hours to recount', () => {
  const MONTH_MS = 30 * DAY_MS;
  const ELEVEN = later(-HOUR_MS);

  it('are those of two days that ended at least a quarter of an hour ago', () => {
    expect(closedHours(NOON, MONTH_MS)).to.deep.equal({ from: later(-2 * DAY_MS, ELEVEN), before: ELEVEN });
    expect(closedHours(later(HOUR_MS / 4 - 1), MONTH_MS).before).to.deep.equal(ELEVEN);
    expect(closedHours(later(HOUR_MS / 4), MONTH_MS).before).to.deep.equal(NOON);
  });

  it('begin with the first hour whose deliveries are all kept, for a day after their creation too', () => {
    const retentionMs = 2 * DAY_MS;
    expect(closedHours(NOON, retentionMs).from).to.deep.equal(later(HOUR_MS - DAY_MS));
    expect(closedHours(later(HOUR_MS / 4), retentionMs).from).to.deep.equal(later(HOUR_MS - DAY_MS));
    expect(closedHours(NOON, 100 * 365 * DAY_MS).from).to.deep.equal(later(-2 * DAY_MS, ELEVEN));
  });

  it('are none if the retention is too short for any', () => {
    const { from, before } = closedHours(NOON, DAY_MS);
    expect(from).to.deep.equal(before);
  });
});
