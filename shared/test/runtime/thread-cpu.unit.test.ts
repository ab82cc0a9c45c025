import { sleep } from '@postrider/shared/runtime/sleep';
import { threadCpuMs } from '@postrider/shared/runtime/thread-cpu';
import { expect } from 'chai';

describe('the CPU time of this thread', () => {
  it('grows while it computes, and hardly while it waits', async () => {
    const before = threadCpuMs();
    while (threadCpuMs() - before < 20);
    const whileWaiting: number[] = [];
    // Something else may use this thread in one of the waits.
    for (let wait = 0; wait < 5; wait += 1) {
      const computed = threadCpuMs();
      await sleep(100);
      whileWaiting.push(threadCpuMs() - computed);
    }
    expect(Math.min(...whileWaiting)).to.be.below(50);
  });
});
