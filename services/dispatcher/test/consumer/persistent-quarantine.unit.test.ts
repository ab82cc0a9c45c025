import { readRecord } from '@postrider/shared/kafka/read-record';
import { expect } from 'chai';
import { createPersistentQuarantine } from '../../src/consumer/persistent-quarantine.js';
import { aLog } from '../engine/builders.js';

const RECORD = readRecord('webhook.deliveries', {
  partition: 3,
  offset: 7,
  timestamp: 0,
  key: null,
  value: Buffer.from('not JSON'),
  headers: {},
});

function aQuarantine() {
  const log = aLog();
  const world = { failures: [] as Error[], stored: [] as string[], pauses: [] as number[] };
  const sut = createPersistentQuarantine({
    quarantine: async (_, reason) => {
      const failure = world.failures.shift();
      if (failure !== undefined) throw failure;
      world.stored.push(reason);
    },
    sleep: async (ms) => void world.pauses.push(ms),
    monotonicMs: () => 0,
    log,
  });
  return Object.assign(world, { sut, log });
}

describe('persistent quarantine', () => {
  it('tries again with growing pauses until the message is stored, and reports it once', async () => {
    const { sut, log, failures, stored, pauses } = aQuarantine();
    failures.push(...Array.from({ length: 10 }, () => new Error('no broker')));
    await sut.put(RECORD, 'the value is not JSON');
    expect(stored).to.deep.equal(['the value is not JSON']);
    expect(pauses.slice(0, 3)).to.deep.equal([200, 400, 800]);
    expect(pauses.at(-1)).to.equal(30_000);
    expect(log.lines).to.deep.equal(['error quarantine.failed']);
  });

  it('rejects once it is stopped, so that the offset stays uncommitted', async () => {
    const { sut, failures, stored } = aQuarantine();
    failures.push(new Error('no broker'));
    sut.stop();
    const error = await sut.put(RECORD, 'the value is empty').catch((one: Error) => one.message);
    expect(error).to.equal('no broker');
    expect(stored).to.deep.equal([]);
  });
});
