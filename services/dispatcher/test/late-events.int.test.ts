import { enableAgain } from '@postrider/shared/domain/enable-again';
import type { Endpoint } from '@postrider/shared/domain/endpoint';
import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import { type DispatcherWorld, dispatcherWorld } from './dispatcher-world.js';

const MINUTE_MS = 60_000;

describe('events that are handled after their endpoint was changed', () => {
  let here: DispatcherWorld;
  let start: Date;
  before(async () => {
    here = await dispatcherWorld();
    start = new Date(Date.now() - 40 * MINUTE_MS);
  });
  after(() => here?.stop());

  const minute = (count: number) => new Date(start.getTime() + count * MINUTE_MS);
  /** An endpoint that was enabled 40 minutes ago, then disabled and enabled by turns. */
  const switchedAt = async (path: string, ...minutes: readonly number[]) => {
    const subscriptions = [{ eventType: 'billing.plan_changed', since: start }] as const;
    const endpointId = await here.endpoint(path, { createdAt: start, enabledSince: start, subscriptions });
    for (const count of minutes) await switchAt(endpointId, minute(count));
    return endpointId;
  };
  const switchAt = async (_id: string, at: Date) => {
    const { endpoints } = here.world.database.collections;
    const { _id: id, ...before } = (await endpoints.findOne({ _id }))!;
    const endpoint = { ...before, id } as Endpoint;
    const { id: _, ...$set } = endpoint.enabled
      ? { ...endpoint, enabled: false, disabledReason: 'operator', disabledAt: at }
      : enableAgain(endpoint, at).endpoint;
    await endpoints.updateOne({ _id }, { $set: $set as object });
  };
  /** What became of each event: a status, or the start of the period in which it is held, in minutes. */
  const outcomesOf = async (endpointId: string) => {
    const rows = await here.world.database.collections.deliveries
      .find({ endpointId })
      .sort({ createdAt: 1 })
      .toArray();
    return rows.map(({ status, heldSince }) =>
      heldSince === undefined ? status : (heldSince.getTime() - start.getTime()) / MINUTE_MS,
    );
  };

  it('are delivered or held by the disabled period of their moment, and add to no count of the current one', async () => {
    const enabled = await switchedAt('enabled', 10, 15, 20, 25);
    const disabled = await switchedAt('disabled', 10, 15, 20, 25, 30);
    await here.changePlan(minute(35));
    const current = async () => {
      const { endpoints } = here.world.database.collections;
      return (await endpoints.findOne({ _id: disabled }))?.holding;
    };
    await eventually(async () => expect(await current()).to.include({ rows: 1 }));
    for (const count of [5, 12, 17, 22]) await here.changePlan(minute(count));
    await eventually(async () => {
      expect(await outcomesOf(enabled)).to.deep.equal(['delivered', 10, 'delivered', 20, 'delivered']);
      expect(await outcomesOf(disabled)).to.deep.equal([30, 10, 30, 20, 30]);
      expect(await current()).to.deep.equal({ since: minute(30), rows: 3, missed: 0 });
    });
    expect(here.posts('enabled')).to.have.length(3);
    expect(here.posts('disabled')).to.deep.equal([]);
  });

  it('are delivered if a name matched them that a pattern replaced since then', async () => {
    const since = minute(38);
    const all = { eventType: '*', since } as const;
    const earlier = [{ eventType: 'billing.plan_changed', since: start }];
    const known = { createdAt: start, enabledSince: start };
    const replacing = await here.endpoint('replacing', { ...known, subscriptions: [{ ...all, earlier }] });
    const later = await here.endpoint('later', { ...known, subscriptions: [all] });
    await here.changePlan(minute(36));
    await here.changePlan(minute(39));
    await eventually(async () => {
      expect(await outcomesOf(replacing)).to.deep.equal(['delivered', 'delivered']);
      expect(await outcomesOf(later)).to.deep.equal(['delivered']);
    });
  });
});
