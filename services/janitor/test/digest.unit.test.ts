import type { Notification } from '@postrider/shared/domain/notification';
import type { DigestStore, StatusCounts } from '@postrider/shared/ports/housekeeping';
import { expect } from 'chai';
import { digestOf, sendDigests } from '../src/digest.js';

const FROM = new Date('2026-03-01T00:00:00.000Z');
const NOW = new Date('2026-03-02T00:05:00.000Z');
const NONE: StatusCounts = { pending: 0, delivered: 0, failed: 0, failed_permanent: 0, dead_lettered: 0 };

describe('a digest', () => {
  const day = { workspaceId: 'ws_1', from: FROM, now: NOW, counts: NONE, endpointsDisabled: 0 };

  it('tells what became of the deliveries of a day', () => {
    const counts = { pending: 1, delivered: 7, failed: 2, failed_permanent: 3, dead_lettered: 4 };
    expect(digestOf({ ...day, counts, endpointsDisabled: 5 })).to.deep.include({
      workspaceId: 'ws_1',
      kind: 'delivery_digest',
      endpointId: null,
      message: '2026-03-01: 7 of 17 deliveries arrived, 4 were given up.',
      data: {
        day: '2026-03-01',
        pending: 1,
        delivered: 7,
        failed: 2,
        failedPermanent: 3,
        deadLettered: 4,
        endpointsDisabled: 5,
      },
      createdAt: NOW,
    });
  });

  it('is none when there is nothing to tell', () => expect(digestOf(day)).to.equal(null));

  it('is one when an endpoint was disabled and nothing delivered', () => {
    expect(digestOf({ ...day, endpointsDisabled: 1 })).not.to.equal(null);
  });

  it('is the same one whenever it is made, and another for another workspace or day', () => {
    const idOf = (overrides: Partial<typeof day>) =>
      digestOf({ ...day, endpointsDisabled: 1, ...overrides })?.id;
    const id = idOf({});
    expect(idOf({ now: new Date('2026-03-02T23:59:00.000Z') })).to.equal(id);
    expect(idOf({ workspaceId: 'ws_2' })).not.to.equal(id);
    expect(idOf({ from: new Date('2026-03-02T00:00:00.000Z') })).not.to.equal(id);
  });
});

describe('sending digests', () => {
  const quiet = () => undefined;
  const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };

  /** Sends the digests of so many workspaces, of which those in `idle` had no deliveries. */
  async function send(workspaces: number, { at = NOW, idle = [] as string[], known = [] as string[] } = {}) {
    const ids = Array.from({ length: workspaces }, (_, n) => `ws_${String(n).padStart(4, '0')}`);
    const announced: Notification[] = [];
    const spans = new Set<string>();
    const store: DigestStore = {
      workspaceIds: async (after, limit) => ids.filter((id) => after === null || id > after).slice(0, limit),
      async countDeliveries(workspaceId, from, to) {
        spans.add(`${from.toISOString()} – ${to.toISOString()}`);
        return idle.includes(workspaceId) ? NONE : { ...NONE, delivered: 1 };
      },
      async countAudits(_workspaceId, action, from, to) {
        spans.add(`${from.toISOString()} – ${to.toISOString()}`);
        expect(action).to.equal('webhook_endpoint.disabled');
        return 0;
      },
      async announce(notification) {
        announced.push(notification);
        return !known.includes(notification.workspaceId);
      },
    };
    const sent = await sendDigests({ store, clock: { now: () => at }, log });
    return { sent, told: announced.map(({ workspaceId }) => workspaceId), spans: [...spans], ids };
  }

  it('tells every workspace once, however many there are', async () => {
    for (const workspaces of [0, 1, 99, 100, 101, 250]) {
      const { sent, told, ids } = await send(workspaces);
      expect(sent).to.equal(workspaces);
      expect(told).to.deep.equal(ids);
    }
  });

  it('is about yesterday, from midnight to midnight UTC, at whatever time it runs', async () => {
    for (const at of ['2026-03-02T00:00:00.000Z', '2026-03-02T23:59:59.999Z']) {
      const { spans } = await send(1, { at: new Date(at) });
      expect(spans).to.deep.equal(['2026-03-01T00:00:00.000Z – 2026-03-02T00:00:00.000Z']);
    }
  });

  it('says nothing to a workspace on whose day nothing happened', async () => {
    const { told } = await send(3, { idle: ['ws_0001'] });
    expect(told).to.deep.equal(['ws_0000', 'ws_0002']);
  });

  it('counts those as sent that had not been told before', async () => {
    expect((await send(3, { known: ['ws_0002'] })).sent).to.equal(2);
  });
});
