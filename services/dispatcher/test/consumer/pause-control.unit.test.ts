import type { TopicNames } from '@postrider/shared/kafka/topic-names';
import { expect } from 'chai';
import { createPauseControl } from '../../src/consumer/pause-control.js';

const FIRST = { topic: 'a', partition: 0 };
const SECOND = { topic: 'a', partition: 1 };
const OTHER = { topic: 'b', partition: 0 };

describe('pause control', () => {
  /** A consumer like the client's: it refuses pauses while it is in no group. */
  function aConsumer() {
    const calls: string[] = [];
    let isInGroup = false;
    const record = (name: string) => (some: readonly { topic: string; partitions?: number[] }[]) => {
      if (!isInGroup) throw new Error('Consumer group was not initialized');
      calls.push(...some.map(({ topic, partitions }) => `${name} ${topic} ${partitions?.join()}`));
    };
    const names = { full: (topic: string) => `prefix.${topic}` } as TopicNames;
    const control = createPauseControl({ pause: record('pause') as never, resume: record('resume') }, names);
    return {
      ...control,
      calls,
      joined(assigned: Parameters<typeof control.joined>[0]) {
        isInGroup = true;
        control.joined(assigned);
        calls.length = 0;
      },
      stopped() {
        isInGroup = false;
        control.stopped();
      },
    };
  }

  it('pauses and resumes what has changed', () => {
    const consumer = aConsumer();
    consumer.joined([FIRST, SECOND, OTHER]);
    consumer.apply([FIRST, SECOND]);
    consumer.apply([SECOND, OTHER]);
    expect(consumer.calls).to.deep.equal(['pause prefix.a 0,1', 'pause prefix.b 0', 'resume prefix.a 0']);
  });

  // Regression: SIGTERM while the broker was away ended the process before its attempts were recorded.
  it('does nothing while the consumer is in no group', () => {
    const consumer = aConsumer();
    consumer.apply([FIRST]);
    consumer.joined([FIRST, SECOND]);
    consumer.apply([FIRST]);
    consumer.stopped();
    consumer.apply([FIRST, SECOND]);
    consumer.joined([FIRST, SECOND]);
    consumer.apply([FIRST, SECOND]);
    expect(consumer.calls).to.deep.equal(['pause prefix.a 0,1']);
  });
});
