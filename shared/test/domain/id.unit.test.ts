import { expect } from 'chai';
import fc from 'fast-check';
import {
  asId,
  deliveryIdOf,
  derivedId,
  firstIdAt,
  ID_PREFIXES,
  type IdKind,
  idOf,
} from '../../src/domain/id.js';
import { later, NOON } from '../../src/testing/builders.js';

const kinds = Object.keys(ID_PREFIXES) as IdKind[];
const kind = fc.constantFrom(...kinds);
const tail = fc.uint8Array({ minLength: 10, maxLength: 10 });
/** Up to the year 9999. */
const moment = fc.integer({ min: 0, max: 253_402_300_799_999 }).map((ms) => new Date(ms));

describe('idOf', () => {
  it('consists of the prefix, ten digits of time and sixteen of the tail', () => {
    expect(idOf('delivery', new Date(0), new Uint8Array(10))).to.equal(`whd_${'0'.repeat(26)}`);
    expect(idOf('event', new Date(33), new Uint8Array(10).fill(255))).to.equal(
      `evt_0000000011${'z'.repeat(16)}`,
    );
  });

  it('has a different prefix for each kind', () => {
    const prefixes = kinds.map((each) => idOf(each, NOON, new Uint8Array(10)).split('_')[0]);
    expect(prefixes).to.deep.equal([
      'ws',
      'mem',
      'inv',
      'tok',
      'whe',
      'whd',
      'evt',
      'ntf',
      'aud',
      'ptl',
      'rpl',
      'chk',
    ]);
  });

  it('has a fixed length and contains only lower-case letters and digits', () => {
    fc.assert(
      fc.property(kind, moment, tail, (k, at, bytes) => /^[a-z]+_[0-9a-z]{26}$/.test(idOf(k, at, bytes))),
    );
  });

  it('sorts by time, with any tail', () => {
    fc.assert(
      fc.property(moment, tail, moment, tail, (a, tailA, b, tailB) => {
        fc.pre(a.getTime() !== b.getTime());
        const [first, second] = [idOf('delivery', a, tailA), idOf('delivery', b, tailB)];
        expect(first < second).to.equal(a < b);
      }),
    );
  });

  it('orders identifiers of neighbouring milliseconds by time', () => {
    const ids = [-1, 0, 1, 31, 32, 33, 1_024].map((ms) => idOf('delivery', later(ms), new Uint8Array(10)));
    expect([...ids].sort()).to.deep.equal(ids);
    expect(new Set(ids).size).to.equal(ids.length);
  });

  it('encodes every bit of the first ten bytes of the tail and ignores the rest', () => {
    const seen = new Set<string>();
    for (let bit = 0; bit < 80; bit += 1) {
      const bytes = new Uint8Array(10);
      bytes[bit >> 3] = 1 << (bit & 7);
      seen.add(idOf('token', NOON, bytes));
    }
    expect(seen.size).to.equal(80);
    const long = new Uint8Array(32).fill(7);
    expect(idOf('token', NOON, long)).to.equal(idOf('token', NOON, long.subarray(0, 10)));
  });
});

describe('derivedId', () => {
  it('always gives the same id for the same cause', () => {
    expect(derivedId('audit', NOON, 'a cause')).to.equal('aud_01kjq6psg0zb0g1tr27dvxq3gx');
  });

  it('differs by kind, by time and by cause', () => {
    const ids = [
      derivedId('audit', NOON, 'a'),
      derivedId('notification', NOON, 'a'),
      derivedId('audit', later(1), 'a'),
      derivedId('audit', NOON, 'b'),
    ];
    expect(new Set(ids).size).to.equal(4);
  });
});

describe('deliveryIdOf', () => {
  const rowId = (cause: { eventId: string; occurredAt: Date }, endpointId: string) =>
    deliveryIdOf(cause, asId('endpoint', endpointId));
  const event = { eventId: 'evt_1', occurredAt: NOON };

  it('gives the same row id for the same event and endpoint', () => {
    expect(rowId(event, 'whe_1')).to.equal(rowId({ ...event }, 'whe_1'));
    expect(rowId(event, 'whe_1')).to.match(/^whd_[0-9a-z]{26}$/);
  });

  it('gives another row id for another endpoint or another event', () => {
    const ids = [
      rowId(event, 'whe_1'),
      rowId(event, 'whe_2'),
      rowId({ ...event, eventId: 'evt_2' }, 'whe_1'),
    ];
    expect(new Set(ids).size).to.equal(3);
  });

  it('separates the two ids, so that moving characters from one to the other gives another row id', () => {
    const left = rowId({ eventId: 'evt_1', occurredAt: NOON }, '1whe');
    const right = rowId({ eventId: 'evt_11', occurredAt: NOON }, 'whe');
    expect(left).not.to.equal(right);
  });

  it('is dated by the event', () => {
    expect(rowId(event, 'whe_1').startsWith(firstIdAt('delivery', NOON))).to.equal(true);
  });
});

describe('firstIdAt', () => {
  it('sorts before all ids of its time and after all ids of the previous millisecond', () => {
    fc.assert(
      fc.property(moment, tail, (at, bytes) => {
        const bound = firstIdAt('delivery', at);
        expect(idOf('delivery', at, bytes) >= bound).to.equal(true);
        if (at.getTime() === 0) return;
        expect(idOf('delivery', new Date(at.getTime() - 1), bytes) < bound).to.equal(true);
      }),
    );
  });

  it('treats every time before 1970 as 1970', () => {
    expect(firstIdAt('delivery', new Date(-1))).to.equal(firstIdAt('delivery', new Date(0)));
  });
});
