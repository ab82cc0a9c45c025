import type { components } from '@postrider/client';
import { expect } from 'chai';
import {
  draftOf,
  mistakesOf,
  type OptionsDraft,
  readFilter,
  updateOf,
} from '../src/endpoints/options-draft.js';
import { subscribedEvents } from '../src/endpoints/recent-events.js';

type Delivery = components['schemas']['Delivery'];

const ENDPOINT = {
  headerNames: ['x-gateway'],
  metadata: { customer: '42' },
  ratePerSecond: 20,
  signing: 'hmac-sha256',
  filter: { plan: ['team'] },
} as unknown as components['schemas']['Webhook'];

describe('options of an endpoint', () => {
  it('are not sent when nothing is edited, headers included', () => {
    const draft = draftOf(ENDPOINT);
    expect(mistakesOf(draft, ENDPOINT)).to.deep.equal({});
    expect(updateOf(draft, ENDPOINT)).to.deep.equal({});
    const same = { ...draft, ratePerSecond: ' 20 ', filter: '{"plan":["team"]}' };
    expect(updateOf(same, ENDPOINT)).to.deep.equal({});
  });

  // Regression: what was changed elsewhere while the form was open was changed back.
  it('are sent only where they were edited', () => {
    const draft = draftOf(ENDPOINT);
    const metadata = [{ name: 'customer', value: '43' }];
    expect(updateOf({ ...draft, metadata }, ENDPOINT)).to.deep.equal({ metadata: { customer: '43' } });
    expect(updateOf({ ...draft, signing: 'ed25519', filter: '{"plan": ["free"]}' }, ENDPOINT)).to.deep.equal({
      signing: 'ed25519',
      filter: { plan: ['free'] },
    });
  });

  it('are removed by empty fields, and headers only on request', () => {
    const emptied = { ...draftOf(ENDPOINT), metadata: [], ratePerSecond: ' ', filter: '' };
    const removed = { metadata: {}, ratePerSecond: null, filter: null };
    const update = (changes: Partial<OptionsDraft>) => updateOf({ ...emptied, ...changes }, ENDPOINT);
    expect(update({})).to.deep.equal(removed);
    expect(update({ headerChange: 'remove' })).to.deep.equal({ ...removed, headers: null });
    const headers = [{ name: ' x-other ', value: 'a' }];
    expect(update({ headerChange: 'replace', headers })).to.deep.include({ headers: { 'x-other': 'a' } });
  });

  it('are not sent while they cannot be read', () => {
    const pair = { name: 'a', value: '' };
    const draft = {
      ...draftOf(ENDPOINT),
      headers: [pair, { name: 'a ', value: '1' }],
      metadata: [pair, pair],
      ratePerSecond: '1.5',
      filter: '{',
    };
    const mistakes = mistakesOf(draft, ENDPOINT);
    expect(Object.keys(mistakes)).to.have.members(['headers', 'metadata', 'ratePerSecond', 'filter']);
  });

  // Regression: the dialog closed as if they were replaced.
  it('are not sent when headers are to be replaced by none', () => {
    const draft = { ...draftOf(ENDPOINT), headerChange: 'replace' } as const;
    const headers = 'Add a header, or choose to remove them all.';
    expect(mistakesOf(draft, ENDPOINT)).to.deep.equal({ headers });
    const without = { ...ENDPOINT, headerNames: [] };
    expect(mistakesOf(draftOf(without), without)).to.deep.equal({});
  });

  it("report a filter's mistakes by their paths", () => {
    expect(readFilter('{"plan": []}')).to.deep.equal({ mistake: 'filter.plan must not be an empty list' });
    expect(readFilter(' ')).to.deep.equal({ filter: null });
  });
});

describe('recent events of a filter', () => {
  it('are those of subscribed types, each once, without test events', () => {
    const delivery = (eventId: string | null, eventType: string) => ({ eventId, eventType }) as Delivery;
    const invoice = delivery('evt_1', 'invoice.paid');
    const deliveries = [
      invoice,
      delivery('evt_1', 'invoice.paid'),
      delivery('evt_2', 'order.shipped'),
      delivery('evt_3', 'webhook.test_event'),
      delivery(null, 'invoice.paid'),
    ];
    expect(subscribedEvents(deliveries, ['invoice.*'])).to.deep.equal([invoice]);
    expect(subscribedEvents(deliveries, ['*']).map(({ eventId }) => eventId)).to.deep.equal([
      'evt_1',
      'evt_2',
    ]);
  });
});
