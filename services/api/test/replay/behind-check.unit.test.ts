import type { DeliveryId } from '@postrider/shared/domain/id';
import { idFor } from '@postrider/shared/testing/builders';
import { aReplayJob } from '@postrider/shared/testing/replay-job-builders';
import { expect } from 'chai';
import type { ReplayTo } from '../../src/ports/replay-jobs.js';
import { createBehindCheck } from '../../src/replay/behind-check.js';

const [SLOW, FAST] = [idFor('endpoint', 'slow'), idFor('endpoint', 'fast')];
const job = aReplayJob();

describe('check for endpoints that are behind', () => {
  const replaysTo = (endpointId: typeof SLOW, from: number, count: number): ReplayTo[] =>
    Array.from({ length: count }, (_, n) => ({
      id: idFor('delivery', `${endpointId} ${from + n}`),
      endpointId,
    }));
  /** A check of which no replay was sent, but those in `sent`. */
  function aCheck(last: readonly ReplayTo[] = []) {
    const asked: number[] = [];
    const sent = new Set<DeliveryId>();
    const check = createBehindCheck({
      lastUnsent: async () => last,
      async unsentOf(_, ids) {
        asked.push(ids.length);
        return new Set(ids.filter((id) => !sent.has(id)));
      },
    });
    return { check, asked, sent };
  }

  it('asks the database nothing until an endpoint got a thousand replays', async () => {
    const { check, asked } = aCheck();
    check.replayed([...replaysTo(SLOW, 0, 999), ...replaysTo(FAST, 0, 999)]);
    expect(await check.isBehind(job)).to.equal(false);
    expect(asked).to.deep.equal([]);
    check.replayed(replaysTo(SLOW, 999, 1));
    expect(await check.isBehind(job)).to.equal(true);
    expect(asked).to.deep.equal([10]);
  });

  it('continues once the oldest of them were sent, and asks again after as many more', async () => {
    const { check, asked, sent } = aCheck();
    const replays = replaysTo(SLOW, 0, 1_000);
    check.replayed(replays);
    expect(await check.isBehind(job)).to.equal(true);
    for (const { id } of replays.slice(0, 300)) sent.add(id);
    expect(await check.isBehind(job)).to.equal(false);
    check.replayed(replaysTo(SLOW, 1_000, 299));
    expect(await check.isBehind(job)).to.equal(false);
    expect(asked).to.have.length(2);
    check.replayed(replaysTo(SLOW, 1_299, 1));
    expect(await check.isBehind(job)).to.equal(true);
  });

  it('is not held up by an endpoint with few replays', async () => {
    const { check, sent } = aCheck();
    check.replayed(replaysTo(SLOW, 0, 500));
    for (let from = 0; from < 5_000; from += 100) {
      const replays = replaysTo(FAST, from, 100);
      check.replayed(replays);
      for (const { id } of replays) sent.add(id);
      expect(await check.isBehind(job)).to.equal(false);
    }
  });

  it('counts the replays that another process made before', async () => {
    const { check, asked } = aCheck(replaysTo(SLOW, 0, 1_000));
    expect(await check.isBehind({ ...job, replayed: 5_000 })).to.equal(true);
    expect(asked).to.deep.equal([10]);
  });

  it('asks about fifty endpoints at a time', async () => {
    const { check, asked } = aCheck();
    const ids = Array.from({ length: 60 }, (_, n) => idFor('endpoint', `endpoint ${n}`));
    for (const id of ids) check.replayed(replaysTo(id, 0, 1_000));
    expect(await check.isBehind(job)).to.equal(true);
    expect(asked).to.deep.equal([50 * 10]);
  });

  it('forgets the endpoint that got no replay for the longest time, beyond ten thousand', async () => {
    const { check, asked } = aCheck();
    check.replayed(replaysTo(SLOW, 0, 1_000));
    for (let n = 0; n < 10_000; n += 1) check.replayed(replaysTo(idFor('endpoint', `other ${n}`), 0, 1));
    expect(await check.isBehind(job)).to.equal(false);
    expect(asked).to.deep.equal([]);
  });
});
