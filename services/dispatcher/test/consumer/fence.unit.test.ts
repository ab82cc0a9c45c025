import { expect } from 'chai';
import { createFence } from '../../src/consumer/fence.js';
import { aLog } from '../engine/builders.js';

/*
 * Regression: two of three dispatchers were cut off from the broker, but not from the database. They continued to send
 * deliveries of partitions that the third one had been assigned, and 258 POSTs were made twice.
 */
describe('fence', () => {
  it('pauses the engine from the end of a session until the next heartbeat', () => {
    const calls: string[] = [];
    let cutOff = false;
    const engine = { pause: () => void calls.push('pause'), resume: () => void calls.push('resume') };
    const fence = createFence({ isCutOff: () => cutOff, engine, log: aLog() });
    fence.check();
    expect(calls).to.deep.equal([]);
    cutOff = true;
    fence.check();
    fence.check();
    expect(calls).to.deep.equal(['pause']);
    cutOff = false;
    fence.check();
    fence.check();
    expect(calls).to.deep.equal(['pause', 'resume']);
  });
});
