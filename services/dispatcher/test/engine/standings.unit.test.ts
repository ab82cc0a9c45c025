import { aFailingEndpoint, anEndpoint } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { createStandings } from '../../src/engine/standings.js';

describe('standings', () => {
  it('return an endpoint as it was read if no transaction changed it', () => {
    const read = anEndpoint();
    expect(createStandings().latest(read)).to.equal(read);
  });

  it('return an endpoint as a later transaction left it', () => {
    const standings = createStandings();
    const after = aFailingEndpoint(2);
    standings.note(after);
    expect(standings.latest(anEndpoint({ streakVersion: after.streakVersion - 1 }))).to.equal(after);
  });

  it('return an endpoint as it was read if that is newer', () => {
    const standings = createStandings();
    const before = aFailingEndpoint(2);
    standings.note(before);
    const read = anEndpoint({ streakVersion: before.streakVersion + 1 });
    expect(standings.latest(read)).to.equal(read);
  });
});
