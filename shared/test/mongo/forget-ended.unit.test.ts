import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { forgetEnded } from '../../src/mongo/forget-ended.js';
import { UnknownInternals } from '../../src/runtime/client-internals.js';
import type { LiveSet } from '../../src/runtime/live-set.js';

interface Active {
  readonly activeSessions: LiveSet<object>;
  readonly activeCursors: LiveSet<object>;
}

describe('forgetEnded', () => {
  it('has the driver count sessions and cursors in progress, and close them with the client', async () => {
    const client = new MongoClient('mongodb://127.0.0.1:1');
    forgetEnded(client);
    const { s: active } = client as unknown as { readonly s: Active };
    const [ended, open] = [client.startSession(), client.startSession()];
    await ended.endSession();
    expect([...active.activeSessions]).to.deep.equal([open]);
    const cursor = client.db('some').collection('some').find();
    expect([...active.activeCursors]).to.deep.equal([cursor]);
    await client.close();
    expect([open.hasEnded, cursor.closed]).to.deep.equal([true, true]);
    expect([active.activeSessions.size, active.activeCursors.size]).to.deep.equal([0, 0]);
  });

  for (const [what, s] of [
    ['without sets', undefined],
    ['without sessions', { activeCursors: new Set() }],
    ['without cursors', { activeSessions: new Set() }],
  ] as const) {
    it(`rejects a client ${what}`, () => {
      expect(() => forgetEnded({ s } as unknown as MongoClient)).to.throw(UnknownInternals);
    });
  }
});
