import { expect } from 'chai';
import { firstPageOf } from '../src/app/pages.js';

describe('first page of the console', () => {
  // Regression: a portal link without permission for endpoints opened an overview of refused requests.
  it('is one that the token may read', () => {
    expect(firstPageOf(new Set(['event_type:list', 'webhook:list']))).to.equal('/');
    expect(firstPageOf(new Set(['event_type:list', 'replay_job:list']))).to.equal('/replays');
    expect(firstPageOf(new Set(['notification:list']))).to.equal('/notifications');
    expect(firstPageOf(new Set(['event:publish']))).to.equal(null);
  });
});
