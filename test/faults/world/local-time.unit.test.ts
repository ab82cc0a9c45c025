import { expect } from 'chai';
import { BSON } from 'mongodb';
import { shiftLocalTime } from './local-time.js';

const NOON = new Date('2026-06-01T12:00:00Z');
const hello = (localTime: Date) => BSON.serialize({ isWritablePrimary: true, localTime, ok: 1 });

describe('shifting the time that a database reports', () => {
  it('changes the time and nothing else, ahead and back', () => {
    for (const ms of [300_000, -360_000]) {
      const bytes = Buffer.concat([hello(NOON), hello(NOON)]);
      shiftLocalTime(ms)(bytes);
      const shifted = hello(new Date(NOON.getTime() + ms));
      expect(bytes).to.deep.equal(Buffer.concat([shifted, shifted]));
    }
  });

  it('leaves answers without a time, and a time that is not complete, as they are', () => {
    for (const answer of [BSON.serialize({ ok: 1 }), hello(NOON).subarray(0, 40)]) {
      const bytes = Buffer.from(answer);
      shiftLocalTime(1)(bytes);
      expect(bytes).to.deep.equal(Buffer.from(answer));
    }
  });
});
