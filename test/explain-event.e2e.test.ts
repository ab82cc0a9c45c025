import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import { type System, startSystem } from './system.js';

interface Explained {
  readonly endpointId: string;
  readonly outcome: string;
  readonly deliveryId: string | null;
  readonly detail: string | null;
}
interface Explanation {
  readonly eventId: string;
  readonly eventType: string | null;
  readonly items: readonly Explained[];
}
interface Case {
  readonly name: string;
  readonly outcome: string;
  readonly detail: RegExp | null;
  readonly hasRow: boolean;
  readonly options?: object;
}

const TYPE = 'billing.plan_changed';
const CASES: readonly Case[] = [
  { name: 'delivered', outcome: 'delivered', detail: null, hasRow: true },
  { name: 'silent', outcome: 'pending', detail: /No attempt has ended yet/, hasRow: true },
  {
    name: 'retried',
    outcome: 'failed',
    detail: /^Attempt 1 of at most 7 failed: the receiver answered 500\. The next one is due at 20/,
    hasRow: true,
  },
  {
    name: 'refused',
    outcome: 'failed_permanent',
    detail: /^The receiver answered 404, which is final: it is not retried\. Replay it once /,
    hasRow: true,
  },
  {
    name: 'broken',
    outcome: 'dead_lettered',
    detail: /^The last of 7 attempts failed: the receiver answered 500\. The retries are exhausted\./,
    hasRow: true,
  },
  {
    name: 'held',
    outcome: 'failed_permanent',
    detail: /disabled\. Replay it once the endpoint is enabled/,
    hasRow: true,
  },
  { name: 'full', outcome: 'missed', detail: /as many held deliveries as possible/, hasRow: false },
  {
    name: 'unsubscribed',
    outcome: 'not_subscribed',
    detail: /does not subscribe/,
    hasRow: false,
    options: { eventTypes: ['api_token.created'] },
  },
  {
    name: 'filtered',
    outcome: 'filtered',
    detail: /does not match its current filter/,
    hasRow: false,
    options: { filter: { plan: ['none'] } },
  },
  { name: 'deleted', outcome: 'deleted', detail: /was deleted at/, hasRow: false },
  { name: 'later', outcome: 'created_later', detail: /was created at/, hasRow: false },
];
/** The event of which nothing is stored shows it. */
const UNKNOWN = 'unknown';

describe('the explanation of an event', () => {
  let system: System;
  before(async () => {
    system = await startSystem({ RETRY_STEP: '10ms', HELD_PER_ENDPOINT: '1' });
    const answers: Record<string, number> = { '/refused': 404, '/broken': 500 };
    system.receiver.answer(({ path, id }) => {
      const posts = system.receiver.received.filter((post) => post.id === id).length;
      if (path === '/silent' || (path === '/retried' && posts > 1)) return 'silence';
      return { status: path === '/retried' ? 500 : (answers[path] ?? 200) };
    });
  });
  after(() => system?.stop());

  const call = <T>(method: string, path: string, body?: object) => system.client.call<T>(method, path, body);
  const create = async ({ name, options }: Pick<Case, 'name' | 'options'>) => {
    const url = `${system.receiver.url}/${name}`;
    return (await call<{ id: string }>('POST', '/webhooks', { url, eventTypes: [TYPE], ...options })).id;
  };
  const disable = (id: string | undefined) => call('PATCH', `/webhooks/${id}`, { enabled: false });
  const firstEventOf = (id: string | undefined) =>
    eventually(async () => {
      const { items } = await call<{ items: { eventId: string }[] }>('GET', `/webhooks/${id}/deliveries`);
      expect(items).to.have.length(1);
      return items[0]!.eventId;
    });
  const explain = (eventId: string) => call<Explanation>('GET', `/events/${eventId}?limit=200`);

  it('shows each outcome of the document, with its delivery where there is one, and its reason', async () => {
    const ids = new Map<string, string>();
    const add = async (one: Case) => ids.set(one.name, await create(one));
    for (const one of CASES.filter(({ name }) => name === 'full')) await add(one);
    await disable(ids.get('full'));
    await call('PUT', '/billing/plan', { plan: 'team' });
    await firstEventOf(ids.get('full'));

    for (const one of CASES.filter(({ name }) => !['full', 'later'].includes(name))) await add(one);
    await disable(ids.get('held'));
    await call('DELETE', `/webhooks/${ids.get('deleted')}`);
    await call('PUT', '/billing/plan', { plan: 'business' });
    const eventId = await firstEventOf(ids.get('held'));

    const seen = new Map<string, Explained>();
    const see = (names: readonly string[]) =>
      eventually(async () => {
        const { items, eventType } = await explain(eventId);
        expect(eventType).to.equal(TYPE);
        for (const { name, outcome } of CASES) {
          const item = items.find(({ endpointId }) => endpointId === ids.get(name));
          if (item?.outcome === outcome) seen.set(name, item);
        }
        expect([...seen.keys()]).to.have.members(names);
      });
    await see(CASES.map(({ name }) => name).filter((name) => name !== 'later'));
    for (const one of CASES.filter(({ name }) => name === 'later')) await add(one);
    await see(CASES.map(({ name }) => name));
    for (const { name, detail, hasRow } of CASES) {
      const item = seen.get(name)!;
      expect(item.deliveryId !== null, name).to.equal(hasRow);
      if (detail === null) expect(item.detail, name).to.equal(null);
      else expect(item.detail, name).to.match(detail);
    }
  });

  it('is unknown at each endpoint if nothing of the event is stored', async () => {
    const { items, eventType } = await explain(`evt_${'0'.repeat(26)}`);
    expect(eventType).to.equal(null);
    expect(items.map(({ outcome }) => outcome)).to.deep.equal(items.map(() => UNKNOWN));
    expect(items.length).to.equal(CASES.length);
  });

  it('shows the endpoint of a test event alone', async () => {
    const id = await create({ name: 'tested' });
    const { eventId } = await call<{ eventId: string }>('POST', `/webhooks/${id}/test-event`);
    await eventually(async () => {
      const { items } = await explain(eventId);
      expect(items.map(({ endpointId, outcome }) => [endpointId, outcome])).to.deep.equal([
        [id, 'delivered'],
      ]);
    });
  });

  it('is tested for every outcome that the served document has', async () => {
    const { port } = system.services('api')[0]!;
    const document = (await (await fetch(`http://127.0.0.1:${port}/openapi.json`)).json()) as {
      components: { schemas: Record<string, { enum?: string[]; anyOf?: { enum?: string[] }[] }> };
    };
    const { EventOutcome, DeliveryStatus } = document.components.schemas;
    const documented = [
      ...(DeliveryStatus?.enum ?? []),
      ...(EventOutcome?.anyOf ?? []).flatMap((part) => part.enum ?? []),
    ];
    expect([...new Set(CASES.map(({ outcome }) => outcome)), UNKNOWN]).to.have.members(documented);
  });
});
