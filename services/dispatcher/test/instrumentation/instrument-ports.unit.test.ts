import { asId } from '@postrider/shared/domain/id';
import { createMetrics } from '@postrider/shared/metrics/metrics';
import { NotAppended } from '@postrider/shared/ports/queue';
import { DEAD_LETTER_TOPIC, retryTopic } from '@postrider/shared/ports/topics';
import { aDelivery, aMessage } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { instrumentPorts } from '../../src/instrumentation/instrument-ports.js';
import { anOpenEvent } from '../fan-out/events.js';

describe('instrumentPorts', () => {
  let now: number;
  let metrics: ReturnType<typeof createMetrics>;
  let watch: ReturnType<typeof instrumentPorts>;
  beforeEach(() => {
    now = 0;
    metrics = createMetrics('dispatcher', '1');
    watch = instrumentPorts(metrics, () => now);
  });
  const expectExported = async (...lines: string[]) => {
    const exported = (await metrics.text()).split('\n');
    expect(exported).to.include.members(lines);
  };
  const away = () => Promise.reject(new Error('away'));
  const failureOf = (work: Promise<unknown>) => work.catch((error: Error) => error.message);

  it('counts retries by tier and dead letters after they are published', async () => {
    const queued = [retryTopic(1), retryTopic(6), retryTopic(6), DEAD_LETTER_TOPIC];
    await watch.enqueue(async () => {})(queued.map((topic) => ({ topic, message: aMessage() })));
    expect(await failureOf(watch.enqueue(away)([{ topic: retryTopic(1), message: aMessage() }]))).to.equal(
      'away',
    );
    await expectExported('postrider_retries_total{tier="1"} 1', 'postrider_retries_total{tier="6"} 2');
    await expectExported('postrider_dead_letters_total 1');
  });

  it('counts retries that are published when others of their batch are not', async () => {
    const partly = () => Promise.reject(new NotAppended(new Set([0]), { cause: null }));
    const queued = [retryTopic(1), retryTopic(2)].map((topic) => ({ topic, message: aMessage() }));
    await failureOf(watch.enqueue(partly)(queued));
    const exported = await metrics.text();
    expect(exported).to.include('postrider_retries_total{tier="2"} 1');
    expect(exported).not.to.include('postrider_retries_total{tier="1"}');
  });

  it('measures reads', async () => {
    const delivery = (name: string) => asId('delivery', name);
    const found = { deliveries: new Map(), unread: new Set<never>(), endpoints: new Map() };
    const read = watch.read(async () => {
      now += 30;
      return found;
    });
    expect(
      await read({ deliveryIds: ['a', 'b', 'c'].map(delivery), endpointIds: [asId('endpoint', 'e')] }),
    ).to.equal(found);
    await expectExported('postrider_read_batch_size_sum 3', 'postrider_read_duration_seconds_sum 0.03');
  });

  it('counts the events and rows of successful fan-outs', async () => {
    const [one] = [aDelivery()];
    const insert = watch.insert(async () => [one!]);
    expect(await insert([one!, aDelivery(), aDelivery()], []), 'the new rows').to.deep.equal([one]);
    expect(await failureOf(watch.insert(away)([one!], []))).to.equal('away');
    now = 50;
    watch.closed(anOpenEvent({ readAt: 10 }));
    watch.closed(anOpenEvent({ readAt: 40 }));
    await expectExported('postrider_fan_out_events_total 2', 'postrider_fan_out_deliveries_total 3');
    await expectExported(
      'postrider_fan_out_duration_seconds_sum 0.05',
      'postrider_fan_out_duration_seconds_count 2',
    );
  });
});
