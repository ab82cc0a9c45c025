import { expect } from 'chai';
import {
  aDelivery,
  aFailedDelivery,
  anEndpoint,
  aTerminalDelivery,
  idFor,
  later,
  NOON,
  TRACE_ID,
  WORKSPACE_ID,
} from '../../src/testing/builders.js';
import { collect } from '../../src/testing/collect.js';
import type { CreateStores, StoresUnderTest } from './stores-under-test.js';

const endpoint = (name: string) => idFor('endpoint', name);

/** Rows of an endpoint, due one second after the other from `firstDue` on. */
export function dueRows(name: string, count: number, firstDue: Date) {
  return Array.from({ length: count }, (_, n) =>
    aDelivery({
      id: idFor('delivery', `${name} ${n}`, later(n)),
      endpointId: endpoint(name),
      dueAt: later(n * 1_000, firstDue),
    }),
  );
}

/** The behaviour that every `Backlog` shares. */
export function backlogContract(createStores: CreateStores): void {
  let stores: StoresUnderTest;
  beforeEach(() => {
    stores = createStores();
  });

  it('returns the due rows of an endpoint, the longest due first, with the fields of their messages', async () => {
    const young = aFailedDelivery(3, { id: idFor('delivery', 'young'), dueAt: later(-1_000) });
    const old = aDelivery({ id: idFor('delivery', 'old'), dueAt: later(-2_000) });
    await stores.store({ deliveries: [young, old] });
    const facts = { endpointId: old.endpointId, workspaceId: WORKSPACE_ID, traceId: TRACE_ID };
    expect(await stores.backlog.due(old.endpointId, NOON, 10)).to.deep.equal([
      { deliveryId: old.id, ...facts, attempts: 0 },
      { deliveryId: young.id, ...facts, attempts: 3 },
    ]);
  });

  it('returns the rows of replay jobs after all others, however long they have been due', async () => {
    const replay = aDelivery({ id: idFor('delivery', 'replay'), dueAt: later(-9_000), class: 'replay' });
    const regular = [1, 2].map((n) =>
      aDelivery({ id: idFor('delivery', `regular ${n}`), dueAt: later(-n * 1_000) }),
    );
    await stores.store({ deliveries: [replay, ...regular] });
    const due = async (limit: number) =>
      (await stores.backlog.due(replay.endpointId, NOON, limit)).map((row) => [row.deliveryId, row.class]);
    const others = [
      [regular[1]!.id, undefined],
      [regular[0]!.id, undefined],
    ];
    expect(await due(10)).to.deep.equal([...others, [replay.id, 'replay']]);
    expect(await due(2)).to.deep.equal(others);
  });

  it('includes a row that is due now, and none that is due later, terminal or of another endpoint', async () => {
    const now = aDelivery({ dueAt: NOON });
    const next = aDelivery({ id: idFor('delivery', 'next'), dueAt: later(1) });
    const done = aTerminalDelivery('delivered', { id: idFor('delivery', 'done') });
    await stores.store({ deliveries: [now, next, done, ...dueRows('another', 1, later(-5_000))] });
    const due = await stores.backlog.due(now.endpointId, NOON, 10);
    expect(due.map(({ deliveryId }) => deliveryId)).to.deep.equal([now.id]);
  });

  it('returns no more rows than the limit', async () => {
    const rows = dueRows('behind', 5, later(-600_000));
    await stores.store({ deliveries: rows });
    const due = await stores.backlog.due(endpoint('behind'), NOON, 2);
    expect(due.map(({ deliveryId }) => deliveryId)).to.deep.equal(rows.slice(0, 2).map(({ id }) => id));
  });

  it('returns each endpoint with an overdue row once', async () => {
    await stores.store({
      deliveries: [
        ...dueRows('behind', 3, later(-60_000)),
        ...dueRows('on time', 3, later(-1_000)),
        ...dueRows('waiting', 1, later(60_000)),
        aTerminalDelivery('failed_permanent', { endpointId: endpoint('done') }),
      ],
    });
    const overdue = async (before: Date) => (await collect(stores.backlog.overdueEndpoints(before))).flat();
    expect(await overdue(later(-30_000))).to.deep.equal([endpoint('behind')]);
    expect(await overdue(later(-60_000))).to.deep.equal([endpoint('behind')]);
    expect(await overdue(later(-60_001))).to.deep.equal([]);
    expect(await overdue(NOON)).to.have.members([endpoint('behind'), endpoint('on time')]);
  });

  it('returns the workspaces of endpoints, deleted ones included', async () => {
    const [live, deleted] = [endpoint('live'), endpoint('deleted')];
    await stores.store({
      endpoints: [
        anEndpoint({ id: live, workspaceId: idFor('workspace', 'one') }),
        anEndpoint({ id: deleted, workspaceId: idFor('workspace', 'two'), deletedAt: NOON }),
        anEndpoint({ id: endpoint('other') }),
      ],
    });
    const workspaces = await stores.backlog.workspacesOf([live, deleted, endpoint('unknown')]);
    expect([...workspaces]).to.have.deep.members([
      [live, idFor('workspace', 'one')],
      [deleted, idFor('workspace', 'two')],
    ]);
  });

  it('continues with the endpoints behind one, by id', async () => {
    const ids = ['a', 'b', 'c'].map((name) => endpoint(name)).sort();
    await stores.store({ deliveries: ['a', 'b', 'c'].flatMap((name) => dueRows(name, 2, later(-1_000))) });
    expect((await collect(stores.backlog.overdueEndpoints(NOON))).flat()).to.deep.equal(ids);
    expect((await collect(stores.backlog.overdueEndpoints(NOON, ids[0]))).flat()).to.deep.equal(ids.slice(1));
  });

  it('returns no endpoint if there are no rows', async () => {
    expect((await collect(stores.backlog.overdueEndpoints(NOON))).flat()).to.deep.equal([]);
  });
}
