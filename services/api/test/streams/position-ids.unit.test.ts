import { UNKNOWN } from '@postrider/shared/kafka/partition-reader';
import { createSecretBox } from '@postrider/shared/runtime/secret-box';
import { expect } from 'chai';
import { createPositionIds, RESUMED_WITHIN_MS } from '../../src/streams/position-ids.js';

const OWNER = { workspaceId: 'ws_1', source: 'deliveries' } as const;
const POSITIONS = new Map([
  [0, 12_345_678_901],
  [11, 0],
]);

describe('ids of positions', () => {
  let now = 1_000_000;
  const sealing = createSecretBox([{ id: 'k1', key: Buffer.alloc(32, 1) }]);
  const ids = createPositionIds(sealing, { now: () => new Date(now) });

  it('are read back within five minutes', () => {
    const id = ids.idOf(OWNER, POSITIONS);
    expect(id).to.match(/^[\w-]+$/);
    now += RESUMED_WITHIN_MS;
    expect(ids.positionsOf(OWNER, id)).to.deep.equal(POSITIONS);
    now += 1;
    expect(ids.positionsOf(OWNER, id)).to.equal(null);
  });

  it('keep the position of a partition without a leader', () => {
    const positions = new Map([...POSITIONS, [3, UNKNOWN]]);
    expect(ids.positionsOf(OWNER, ids.idOf(OWNER, positions))).to.deep.equal(positions);
  });

  it('are of one workspace and one source', () => {
    const id = ids.idOf(OWNER, POSITIONS);
    expect(ids.positionsOf({ ...OWNER, workspaceId: 'ws_2' }, id)).to.equal(null);
    expect(ids.positionsOf({ ...OWNER, source: 'events' }, id)).to.equal(null);
  });

  it('are null for any other text', () => {
    for (const text of ['', 'x', Buffer.from('k1 a b').toString('base64url'), 'é'.repeat(10_000)])
      expect(ids.positionsOf(OWNER, text)).to.equal(null);
  });
});
