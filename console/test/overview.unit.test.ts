import type { components } from '@postrider/client';
import { expect } from 'chai';
import { filterEndpoints } from '../src/endpoints/endpoint-filter.js';
import { attentionOf } from '../src/overview/attention.js';
import { outcomeOf, withFresh } from '../src/overview/live-outcomes.js';

type Webhook = components['schemas']['Webhook'];

/** The fields that the console decides on. */
const endpoint = (id: string, facts: Partial<Webhook>) =>
  ({
    id,
    url: `https://${id}.example.com/`,
    eventTypes: ['*'],
    description: null,
    consecutiveFailures: 0,
    disabledReason: null,
    heldDeliveries: 0,
    ...facts,
  }) as Webhook;

const ENDPOINTS = [
  endpoint('fine', {}),
  endpoint('off', { disabledReason: 'operator' }),
  endpoint('failing', { consecutiveFailures: 3 }),
  endpoint('worse', { consecutiveFailures: 12 }),
  endpoint('held', { disabledReason: 'operator', heldDeliveries: 2 }),
  endpoint('down', { disabledReason: 'consecutive_failures', consecutiveFailures: 20 }),
];

describe('attention of the overview', () => {
  it('puts the most urgent endpoint first and leaves out those without a concern', () => {
    expect(attentionOf(ENDPOINTS).map((item) => `${item.endpoint.id}: ${item.concern}`)).to.deep.equal([
      'down: disabled_by_failures',
      'held: held',
      'worse: failing',
      'failing: failing',
    ]);
  });
});

describe('filter of endpoints', () => {
  it('matches text anywhere, in any case, and the state', () => {
    const found = (text: string, state: Parameters<typeof filterEndpoints>[1]['state']) =>
      filterEndpoints(ENDPOINTS, { text, state }).map(({ id }) => id);
    expect(found('FINE.example', '')).to.deep.equal(['fine']);
    expect(found('', 'failing')).to.deep.equal(['failing', 'worse']);
    expect(found('down', 'operator')).to.deep.equal([]);
  });
});

describe('live outcomes', () => {
  const message = (type: 'delivery.created' | 'delivery.attempted' | 'delivery.ended', status: string) =>
    ({ type, id: `${type} ${status}`, data: { status } }) as Parameters<typeof outcomeOf>[0];

  it('are the ends of deliveries and the attempts that are retried', () => {
    const messages = [
      message('delivery.created', 'pending'),
      message('delivery.attempted', 'failed'),
      message('delivery.attempted', 'delivered'),
      message('delivery.ended', 'delivered'),
      { type: 'reset', id: null, data: {} } as const,
    ];
    expect(messages.flatMap((one) => outcomeOf(one)?.key ?? [])).to.deep.equal([
      'delivery.attempted failed',
      'delivery.ended delivered',
    ]);
  });

  it('show the newest first, and at most fifty', () => {
    const outcomes = Array.from({ length: 60 }, (_, n) => ({ key: String(n) })) as never[];
    const shown = withFresh(withFresh([], outcomes.slice(0, 40)), outcomes.slice(40)) as readonly {
      readonly key: string;
    }[];
    expect(shown).to.have.length(50);
    expect([shown[0]?.key, shown[49]?.key]).to.deep.equal(['59', '10']);
  });
});
