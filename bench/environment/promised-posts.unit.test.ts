import { expect } from 'chai';
import { owedRows, promisedPosts } from './promised-posts.js';

describe('the POSTs that must come', () => {
  const at = (group: string, workspace: number) => ({ endpoint: {} as never, group, workspace });
  const endpoints = [at('quick', 0), at('quick', 0), at('flaky', 1), at('ill', 2)];
  const promised = [
    { group: 'quick', attempts: 1 },
    { group: 'flaky', attempts: 7 },
  ];

  it('are, for each event, those of the promised endpoints of its workspace, with all their attempts', () => {
    expect(promisedPosts({ endpoints }, promised, [10, 2, 5])).to.equal(10 * 2 + 2 * 7);
  });

  it('are none of workspaces without events', () => {
    expect(promisedPosts({ endpoints }, promised, [])).to.equal(0);
  });

  it('are fewer than the deliveries that are owed where nothing is promised', () => {
    expect(owedRows({ endpoints }, [10, 2, 5])).to.equal(10 * 2 + 2 + 5);
  });
});
