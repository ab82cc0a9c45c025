import { sleep } from '@postrider/shared/runtime/sleep';
import { threadCpuMs } from '@postrider/shared/runtime/thread-cpu';
import { expect } from 'chai';

describe('the CPU time of this thread', () => {
  it('grows while it computes, and hardly while it waits', async () => {
    const before = threadCpuMs();
    while (threadCpuMs() - before < 20);
    const computed = threadCpuMs();
    await sleep(200);
    expect(threadCpuMs() - computed).to.be.below(100);
  });
});
