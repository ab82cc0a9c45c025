import { expect } from 'chai';
import { standBack } from '../../src/consumer/stand-back.js';
import { aLog } from '../engine/builders.js';

/*
 * Two of three dispatchers were cut off from the broker, not from the database. The third took their partitions over;
 * the two did not know, went on with what they held and fed more from the rows, and 258 POSTs were made twice.
 */
describe('a dispatcher that is cut off from the broker', () => {
  it('sends nothing from the end of its session until it is heard again', () => {
    const calls: string[] = [];
    let cutOff = false;
    const engine = { hold: () => void calls.push('hold'), goOn: () => void calls.push('go on') };
    const stance = standBack({ isCutOff: () => cutOff, engine, log: aLog() });
    stance.look();
    expect(calls).to.deep.equal([]);
    cutOff = true;
    stance.look();
    stance.look();
    expect(calls).to.deep.equal(['hold']);
    cutOff = false;
    stance.look();
    stance.look();
    expect(calls).to.deep.equal(['hold', 'go on']);
  });
});
