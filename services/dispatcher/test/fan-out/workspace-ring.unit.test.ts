import { idFor } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { createWorkspaceRing, type Lane, type WorkspaceRing } from '../../src/fan-out/workspace-ring.js';
import { anOpenEvent, aReadEvent } from './events.js';

const eventOf = (workspace: string) =>
  anOpenEvent({ event: aReadEvent({ workspaceId: idFor('workspace', workspace) }) });
const add = (ring: WorkspaceRing, ...workspaces: string[]) => {
  for (const workspace of workspaces) ring.add(eventOf(workspace));
};
const names = new Map(['a', 'b', 'c', 'd'].map((name) => [idFor('workspace', name), name]));
/** Takes up to so many turns. */
function take(ring: WorkspaceRing, count: number): Lane[] {
  const lanes: Lane[] = [];
  for (const lane of ring.turns()) {
    lanes.push(lane);
    if (lanes.length === count) break;
  }
  return lanes;
}
const turns = (ring: WorkspaceRing, count = 10) =>
  take(ring, count)
    .map(({ workspaceId }) => names.get(workspaceId))
    .join(' ');

describe('workspace ring', () => {
  it('gives each workspace one turn, in order of arrival', () => {
    const ring = createWorkspaceRing();
    add(ring, 'a', 'b', 'a', 'c');
    expect(turns(ring)).to.equal('a b c');
    expect(ring.size()).to.equal(4);
  });

  it('continues where the turns ended', () => {
    const ring = createWorkspaceRing();
    add(ring, 'a', 'b', 'c');
    expect(turns(ring)).to.equal('a b c');
    expect(turns(ring, 2)).to.equal('a b');
    expect(turns(ring, 2)).to.equal('c a');
  });

  it('lets a workspace that had nothing to do go first', () => {
    const ring = createWorkspaceRing();
    add(ring, 'a', 'b');
    expect(turns(ring)).to.equal('a b');
    add(ring, 'c');
    expect(turns(ring, 1)).to.equal('c');
    expect(turns(ring, 2), 'but only once').to.equal('a b');
  });

  it('does not let a workspace go first again before all others had a turn', () => {
    const ring = createWorkspaceRing();
    add(ring, 'a', 'b');
    turns(ring);
    add(ring, 'c');
    const [lane] = take(ring, 1);
    expect(names.get(lane!.workspaceId)).to.equal('c');
    ring.remove(lane!.events[0]!);
    add(ring, 'c');
    expect(turns(ring)).to.equal('a b c');
  });

  it('forgets a workspace that has nothing to do at its turn', () => {
    const ring = createWorkspaceRing();
    const only = eventOf('a');
    ring.add(only);
    turns(ring);
    ring.remove(only);
    expect(turns(ring)).to.equal('');
    expect(ring.size()).to.equal(0);
    add(ring, 'b');
    turns(ring);
    add(ring, 'a');
    expect(turns(ring)).to.equal('a b');
  });

  it('removes planned and unwanted events', () => {
    const ring = createWorkspaceRing();
    const [planned, unwanted, kept] = [
      eventOf('a'),
      { ...eventOf('a'), isWanted: () => false },
      eventOf('a'),
    ];
    for (const event of [planned, unwanted, kept]) ring.add(event);
    planned!.completion.isPlanned = true;
    const [lane] = [...ring.turns()];
    ring.removePlanned(lane!);
    expect(lane!.events).to.deep.equal([unwanted, kept]);
    ring.removeUnwanted();
    expect(lane!.events).to.deep.equal([kept]);
    expect(ring.size()).to.equal(1);
  });
});
