import { aFailingEndpoint, anEndpoint } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { createLatestStreaks } from '../../../src/engine/settling/latest-streaks.js';

describe('latest streaks', () => {
  it('return an endpoint as it was read if no transaction changed it', () => {
    const read = anEndpoint();
    expect(createLatestStreaks().latest(read)).to.equal(read);
  });

  it('return an endpoint as a later transaction left it', () => {
    const latestStreaks = createLatestStreaks();
    const after = aFailingEndpoint(2);
    latestStreaks.note(after);
    expect(latestStreaks.latest(anEndpoint({ streakVersion: after.streakVersion - 1 }))).to.equal(after);
  });

  it('return an endpoint as it was read if that is newer', () => {
    const latestStreaks = createLatestStreaks();
    const before = aFailingEndpoint(2);
    latestStreaks.note(before);
    const read = anEndpoint({ streakVersion: before.streakVersion + 1 });
    expect(latestStreaks.latest(read)).to.equal(read);
  });
});
