import { expect } from 'chai';
import { createMembership } from '../../src/consumer/membership.js';
import { createKeyedEntries } from '../../src/offsets/open-entries.js';
import { createOpenOffsets } from '../../src/offsets/open-offsets.js';

/** A member of a group whose partition 0 was read up to offset 11, of which 10 is still open. */
function aMember() {
  const offsets = createOpenOffsets(createKeyedEntries);
  const joined = createMembership(offsets.assign);
  joined('member-1', [0]);
  const at = (offset: number) => ({ topic: 'events', partition: 0, offset, epoch: 0 });
  const read = (offset: number) => {
    const kind = offsets.classify(at(offset));
    if (kind === 'new' || kind === 'reset') offsets.track(at(offset), null);
    return kind;
  };
  read(10);
  read(11);
  return { joined, read, done: (offset: number) => offsets.done(at(offset)), positions: offsets.positions };
}

describe('membership', () => {
  it('keeps what is open of the partitions that a member keeps in a rebalance', () => {
    const member = aMember();
    member.joined('member-1', [0]);
    member.done(10);
    member.done(11);
    expect(member.positions()).to.deep.equal([{ topic: 'events', partition: 0, offset: 12 }]);
    expect(member.read(10)).to.equal('duplicate');
  });

  it('does not set back what another member committed while this one was not in the group', () => {
    const member = aMember();
    // The other member committed offset 20 meanwhile.
    member.joined('member-2', [0]);
    member.done(10);
    member.done(11);
    expect(member.positions()).to.deep.equal([]);
    member.read(20);
    expect(member.positions()).to.deep.equal([{ topic: 'events', partition: 0, offset: 20 }]);
  });

  it('reads again what was not committed meanwhile', () => {
    const member = aMember();
    member.joined('member-2', [0]);
    expect(member.read(10)).to.equal('new');
  });
});
