import { expect } from 'chai';
import { retry } from '../../src/runtime/retry.js';

describe('retry', () => {
  const failing = (times: number) => async (failures: number) => {
    if (failures < times) throw new Error(`failure ${failures + 1}`);
    return `after ${failures} failures`;
  };

  it('doubles its pauses up to the longest and reports each failure before its pause', async () => {
    const steps: (string | object)[] = [];
    const result = await retry(failing(4), {
      firstPauseMs: 100,
      longestPauseMs: 300,
      onFailure: (error, failures, pauseMs) =>
        void steps.push((error as Error).message, { failures, pauseMs }),
      sleep: async (ms) => void steps.push(`pause ${ms}`),
    });
    expect(result).to.equal('after 4 failures');
    expect(steps).to.deep.equal(
      [100, 200, 300, 300].flatMap((pauseMs, index) => [
        `failure ${index + 1}`,
        { failures: index + 1, pauseMs },
        `pause ${pauseMs}`,
      ]),
    );
  });

  it('gives up with the error that onFailure throws, without a further pause', async () => {
    const pauses: number[] = [];
    const result = await retry(failing(9), {
      firstPauseMs: 1,
      longestPauseMs: 1,
      onFailure: (error, failures) => {
        if (failures === 3) throw error;
      },
      sleep: async (ms) => void pauses.push(ms),
    }).catch((error: Error) => error.message);
    expect(result).to.equal('failure 3');
    expect(pauses).to.deep.equal([1, 1]);
  });
});
