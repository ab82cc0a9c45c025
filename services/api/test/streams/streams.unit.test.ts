import { expect } from 'chai';
import type { Refusal } from '../../src/domain/refusal.js';
import type { StreamQuery } from '../../src/domain/stream-query.js';
import type { LiveTopic } from '../../src/streams/live-topic.js';
import { createStreams, type OpenStream } from '../../src/streams/streams.js';

const IDLE: LiveTopic = {
  join: async () => {},
  leave: () => {},
  positions: () => null,
  close: async () => {},
};

/** Streams of a process that may have `maxStreams`; every stream has a credential of its own. */
function aProcess(maxStreams: number) {
  let credentials = 0;
  const streams = createStreams({
    topics: { deliveries: IDLE, events: IDLE },
    ids: { idOf: () => '', positionsOf: () => null },
    payloadsOf: async () => new Map(),
    openStreams: { add: async () => 1, remove: () => {}, renew: () => {}, close: async () => {} },
    maxStreams,
    monotonicMs: () => 0,
    onEvents: () => {},
    onEnd: () => {},
  });
  const open = (workspaceId: string): Promise<OpenStream> => {
    credentials += 1;
    const query: StreamQuery = {
      source: 'deliveries',
      workspaceId,
      endpointIds: null,
      eventType: null,
      withPayload: false,
    };
    const credentialId = `tok_${credentials}`;
    return streams.open({ query, credentialId, lastEventId: null, mayContinue: async () => true });
  };
  const tagOf = (opening: Promise<OpenStream>) =>
    opening.then(
      () => null,
      (error: Refusal) => error.tag,
    );
  return { open, tagOf };
}

describe('streams of a process', () => {
  it('are a fifth of MAX_STREAMS for one workspace, whatever tokens it uses', async () => {
    const { open, tagOf } = aProcess(10);
    const opened = await Promise.all([open('ws_1'), open('ws_1')]);
    expect(await tagOf(open('ws_1'))).to.equal('TooManyStreams');
    expect(await tagOf(open('ws_2'))).to.equal(null);
    for (const stream of opened) stream.close();
    expect(await tagOf(open('ws_1'))).to.equal(null);
    expect(await tagOf(open('ws_1'))).to.equal(null);
    expect(await tagOf(open('ws_1'))).to.equal('TooManyStreams');
  });

  it('are at least one for a workspace', async () => {
    const { open, tagOf } = aProcess(1);
    expect(await tagOf(open('ws_1'))).to.equal(null);
    expect(await tagOf(open('ws_2'))).to.equal('Unavailable');
  });
});
