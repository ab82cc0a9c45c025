import { later, NOON } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { Refusal } from '../../src/domain/refusal.js';
import { statsSpan } from '../../src/domain/stats-span.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const before = (ms: number) => later(-ms);

describe('statsSpan', () => {
  it('is the last day in hours, unless asked otherwise', () => {
    const { from, to, step, starts } = statsSpan({}, NOON);
    expect([from, to, step]).to.deep.equal([before(DAY), NOON, 'hour']);
    expect(starts).to.have.length(24);
    expect([starts[0], starts[23]]).to.deep.equal([before(DAY), before(HOUR)]);
  });

  it('begins a day before an end in the past, and before now if the end is later', () => {
    expect(statsSpan({ to: before(HOUR) }, NOON).from).to.deep.equal(before(HOUR + DAY));
    expect(statsSpan({ to: later(HOUR) }, NOON).from).to.deep.equal(before(DAY));
  });

  it('has the whole hours and days that it touches', () => {
    const inHours = statsSpan({ from: before(HOUR + 1), to: later(1) }, NOON);
    expect(inHours.starts).to.deep.equal([before(2 * HOUR), before(HOUR), NOON]);
    const inDays = statsSpan({ from: before(DAY), to: NOON, step: 'day' }, NOON);
    expect(inDays.starts).to.deep.equal([before(DAY + 12 * HOUR), before(12 * HOUR)]);
    expect(statsSpan({ from: NOON, to: NOON }, NOON).starts).to.deep.equal([]);
  });

  it('is in hours for up to 7 days, and in days beyond', () => {
    expect(statsSpan({ from: before(7 * DAY) }, NOON).step).to.equal('hour');
    expect(statsSpan({ from: before(7 * DAY + 1) }, NOON).step).to.equal('day');
    expect(statsSpan({ from: before(7 * DAY), step: 'hour' }, NOON).starts).to.have.length(7 * 24);
    const tooLong = () => statsSpan({ from: before(7 * DAY + 1), step: 'hour' }, NOON);
    expect(tooLong).to.throw(Refusal, 'must be day for more than 7 days');
  });

  it('has at most 1,000 steps', () => {
    const midnight = before(12 * HOUR);
    const spanOf = (days: number) => statsSpan({ from: later(-days * DAY, midnight), to: midnight }, NOON);
    expect(spanOf(1_000).starts).to.have.length(1_000);
    expect(() => spanOf(1_001)).to.throw(Refusal, 'must be at most 1000 steps before to');
  });

  it('does not end before it begins', () => {
    expect(() => statsSpan({ from: NOON, to: before(1) }, NOON)).to.throw(Refusal, 'must not be after to');
  });
});
