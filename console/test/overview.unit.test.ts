import type { components } from '@postrider/client';
import { expect } from 'chai';
import { readEndpointFilter } from '../src/endpoints/endpoint-filter.js';
import { attentionOf } from '../src/overview/attention.js';
import { countTiles } from '../src/overview/count-tiles.js';
import { lineOf, withFresh } from '../src/overview/live-outcomes.js';

type Webhook = components['schemas']['ListedWebhook'];
type Health = NonNullable<Webhook['health']>;

/** The fields that the console decides on. */
const endpoint = (id: string, states: Health['states'], facts: Partial<Webhook> = {}, p95 = 40) =>
  ({
    id,
    consecutiveFailures: 0,
    disabledReason: null,
    heldDeliveries: 0,
    health: { states, latencyMs: { p50: 9, p95, p99: p95 }, hours: [] },
    ...facts,
  }) as unknown as Webhook;

const ENDPOINTS = [
  endpoint('fine', ['healthy']),
  endpoint('late', ['slow'], {}, 1_500),
  endpoint('later', ['slow'], {}, 4_000),
  endpoint('failing', ['failing', 'slow'], { consecutiveFailures: 3 }),
  endpoint('worse', ['failing'], { consecutiveFailures: 12 }),
  endpoint('held', ['disabled_by_operator', 'held'], { heldDeliveries: 2 }),
  endpoint('down', ['disabled_by_failures', 'held'], { heldDeliveries: 1 }),
];

describe('attention of the overview', () => {
  it('puts the most urgent endpoint first and leaves out those without a concern', () => {
    expect(attentionOf(ENDPOINTS).map((item) => `${item.endpoint.id}: ${item.concern}`)).to.deep.equal([
      'down: disabled_by_failures',
      'held: held',
      'worse: failing',
      'failing: failing',
      'later: slow',
      'late: slow',
    ]);
  });
});

describe('list of endpoints', () => {
  it('asks for what the filter names', () => {
    expect(readEndpointFilter({ text: ' orders ', state: 'slow', metadata: '', other: 1 })).to.deep.equal({
      text: 'orders',
      state: 'slow',
    });
  });
});

describe('live outcomes', () => {
  const message = (type: 'delivery.created' | 'delivery.attempted' | 'delivery.ended', status: string) =>
    ({ type, id: `${type} ${status}`, data: { status } }) as Parameters<typeof lineOf>[0];

  it('are the ends of deliveries, the attempts that are retried, and gaps', () => {
    const messages = [
      message('delivery.created', 'pending'),
      message('delivery.attempted', 'failed'),
      message('delivery.attempted', 'delivered'),
      message('delivery.ended', 'delivered'),
      { type: 'reset', id: null, data: {} } as const,
    ];
    expect(messages.flatMap((one, number) => lineOf(one, number)?.key ?? [])).to.deep.equal([
      'delivery.attempted failed',
      'delivery.ended delivered',
      'gap 4',
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

  it('show adjacent gaps as one', () => {
    const lines = [
      { kind: 'gap', key: '1' },
      { kind: 'gap', key: '2' },
      { kind: 'outcome', key: '3' },
      { kind: 'gap', key: '4' },
    ] as never[];
    const shown = withFresh(withFresh([], lines.slice(0, 1)), lines.slice(1));
    expect(shown.map(({ key }) => key)).to.deep.equal(['4', '3', '1']);
  });
});

describe('counts of the overview', () => {
  it('use the names of outcomes with one meaning, and another name for the sum', () => {
    const last24h = { pending: 0, delivered: 34, failed: 1, failedPermanent: 4, deadLettered: 9, held: 0 };
    const overview = {
      endpoints: { total: 1, enabled: 1, disabled: 0 },
      last24h: { ...last24h, successRate: 0.7 },
    };
    const tiles = countTiles(overview as components['schemas']['WorkspaceOverview']);
    expect(tiles.map(({ name }) => name)).to.not.include('Failed');
    expect(tiles.find(({ value }) => value === '13')).to.include({
      name: 'Not delivered',
      note: '4 failed, 9 ran out of retries',
    });
  });
});
