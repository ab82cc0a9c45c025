import { expect } from 'chai';
import { createUndo } from './undo.js';

describe('undo', () => {
  it('takes the last step first, and each once', async () => {
    const undo = createUndo();
    const taken: number[] = [];
    for (const step of [1, 2, 3]) undo.push(async () => taken.push(step));
    // Regression: on Ctrl-C the end of the test and the handler of the signal shared the steps; the process ended in the middle.
    const [first, second] = [undo.all(), undo.all()];
    expect(first).to.equal(second);
    await first;
    await undo.all();
    expect(taken).to.deep.equal([3, 2, 1]);
  });

  it('takes all steps even if some fail, and reports these', async () => {
    const undo = createUndo();
    let taken = false;
    undo.push(async () => {
      taken = true;
    });
    undo.push(() => Promise.reject(new Error('no container runtime')));
    const error = await undo.all().catch((reason: Error) => reason);
    expect(taken).to.equal(true);
    expect((error as Error).message).to.equal('not everything was removed:\nno container runtime');
  });

  it('takes a step after its work, also if that fails, and not again at the end', async () => {
    const undo = createUndo();
    const taken: string[] = [];
    undo.push(async () => taken.push('cluster'));
    const work = () => Promise.reject(new Error('the drain failed'));
    const error = await undo.around(work, async () => taken.push('node')).catch((reason: Error) => reason);
    expect((error as Error).message).to.equal('the drain failed');
    expect(taken).to.deep.equal(['node']);
    await undo.all();
    expect(taken).to.deep.equal(['node', 'cluster']);
  });

  it('takes a step before the end of its work if everything is undone meanwhile', async () => {
    const undo = createUndo();
    const taken: string[] = [];
    const interrupted = async () => {
      await undo.all();
      taken.push('work');
    };
    await undo.around(interrupted, async () => taken.push('namespace'));
    expect(taken).to.deep.equal(['namespace', 'work']);
  });
});
