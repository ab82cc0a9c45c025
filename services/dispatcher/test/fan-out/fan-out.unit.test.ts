import type { Endpoint } from '@postrider/shared/domain/endpoint';
import type { Queued } from '@postrider/shared/ports/queue';
import { DELIVERIES_TOPIC } from '@postrider/shared/ports/topics';
import { anEndpoint, idFor, TRACE_ID, WORKSPACE_ID } from '@postrider/shared/testing/builders';
import { createInMemoryStores } from '@postrider/shared/testing/in-memory-stores';
import { expect } from 'chai';
import { createFanOut } from '../../src/fan-out/fan-out.js';
import { aClock } from '../engine/builders.js';
import { aReadEvent } from './events.js';

/** Fan-out over a store with rows by id; `calls` records the calls in order. */
function aFanOut(endpoints: readonly Endpoint[]) {
  const calls: string[] = [];
  const { fanOut, deliveries: rows, endpoints: stored } = createInMemoryStores();
  for (const endpoint of endpoints) stored.set(endpoint.id, endpoint);
  const sent: Queued[] = [];
  const questions: unknown[] = [];
  const world = { insertFails: false, enqueueFails: false };
  const run = createFanOut({
    store: {
      async subscribers(workspaceIds, types) {
        questions.push([workspaceIds, types]);
        return fanOut.subscribers(workspaceIds, types);
      },
      async insert(chunk) {
        calls.push(`insert ${chunk.length}`);
        if (world.insertFails) throw new Error('no primary');
        await fanOut.insert(chunk);
      },
    },
    async enqueue(queued) {
      calls.push(`enqueue ${queued.length}`);
      if (world.enqueueFails) throw new Error('no broker');
      sent.push(...queued);
    },
    clock: aClock(),
  });
  const between = async () => void calls.push('between');
  return Object.assign(world, { run, between, calls, rows, sent, questions });
}

const many = (count: number) =>
  Array.from({ length: count }, (_, index) => anEndpoint({ id: idFor('endpoint', `${index}`) }));
const failure = (promise: Promise<void>) =>
  promise.then(
    () => null,
    (error: Error) => error.message,
  );

describe('fan-out', () => {
  it('stores the rows before it publishes their messages', async () => {
    const { run, between, calls } = aFanOut(many(2));
    await run([aReadEvent()], between);
    expect(calls).to.deep.equal(['insert 2', 'enqueue 2', 'between']);
  });

  it('publishes a message for the first attempt of each row', async () => {
    const { run, between, rows, sent } = aFanOut(many(2));
    await run([aReadEvent()], between);
    expect(sent).to.deep.equal(
      [...rows.values()].map(({ id, endpointId }) => ({
        topic: DELIVERIES_TOPIC,
        message: { deliveryId: id, endpointId, workspaceId: WORKSPACE_ID, ordinal: 1, traceId: TRACE_ID },
      })),
    );
  });

  it('publishes the messages of existing rows again and does not change the rows', async () => {
    const { run, between, rows, sent } = aFanOut(many(2));
    await run([aReadEvent()], between);
    const before = [...rows.values()];
    await run([aReadEvent()], between);
    expect([...rows.values()]).to.deep.equal(before);
    expect(sent.slice(2)).to.deep.equal(sent.slice(0, 2));
  });

  it('works in chunks of 500 with a heartbeat after each', async () => {
    const { run, between, calls } = aFanOut(many(601));
    await run([aReadEvent(), aReadEvent({ name: 'another' })], between);
    expect(calls).to.deep.equal([
      ...['insert 500', 'enqueue 500', 'between'],
      ...['insert 500', 'enqueue 500', 'between'],
      ...['insert 202', 'enqueue 202', 'between'],
    ]);
  });

  it('queries the endpoints of a batch together, with each workspace and type once', async () => {
    const { run, between, questions } = aFanOut([]);
    const other = idFor('workspace', 'other');
    await run(
      [
        aReadEvent(),
        aReadEvent({ name: 'second' }),
        aReadEvent({ workspaceId: other, type: 'api_token.revoked' }),
      ],
      between,
    );
    expect(questions).to.deep.equal([
      [
        [WORKSPACE_ID, other],
        ['billing.plan_changed', 'api_token.revoked'],
      ],
    ]);
  });

  it('does nothing without events and writes nothing without subscribers', async () => {
    const empty = aFanOut([]);
    await empty.run([], empty.between);
    expect(empty.questions).to.deep.equal([]);
    await empty.run([aReadEvent()], empty.between);
    expect(empty.calls).to.deep.equal([]);
  });

  it('publishes nothing of a chunk that is not stored, and rejects', async () => {
    const world = aFanOut(many(1));
    world.insertFails = true;
    expect(await failure(world.run([aReadEvent()], world.between))).to.equal('no primary');
    expect(world.calls).to.deep.equal(['insert 1']);
  });

  it('rejects if the broker fails, and publishes everything when it is retried', async () => {
    const world = aFanOut(many(2));
    world.enqueueFails = true;
    expect(await failure(world.run([aReadEvent()], world.between))).to.equal('no broker');
    world.enqueueFails = false;
    await world.run([aReadEvent()], world.between);
    expect(world.sent).to.have.length(2);
    expect(world.rows.size).to.equal(2);
  });
});
