import type { Endpoint } from '@postrider/shared/domain/endpoint';
import { eventually } from '@postrider/shared/testing/eventually';
import { CONFLICTED, profile, readProfile } from '@postrider/shared/testing/profiled';
import { expect } from 'chai';
import { type DispatcherWorld, dispatcherWorld } from './dispatcher-world.js';

/** Longer than a stop waits for what does not depend on deadlines. */
const BODY_TIMEOUT_MS = 6_500;

describe('a stop during an attempt whose response has no end', () => {
  let here: DispatcherWorld;
  before(async () => {
    here = await dispatcherWorld({ DELIVERY_TIMEOUT: '200ms', BODY_TIMEOUT: `${BODY_TIMEOUT_MS}ms` });
  });
  after(() => here?.stop());

  // Regression: a stop waited for the headers of responses only, so the next process sent the POST again.
  it('records the attempt', async () => {
    here.receiver.answer(() => ({ raw: 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n' }));
    const endpointId = await here.endpoint('endless');
    await here.changePlan();
    await eventually(() => expect(here.posts('endless')).to.have.length(1));
    await here.stopDispatcher();
    expect(await here.row(endpointId)).to.include({ status: 'delivered', attempts: 1 });
    expect(await here.attempts(endpointId)).to.have.length(1);
    expect(here.posts('endless')).to.have.length(1);
  });
});

/** Longer than a stop and a rebalance together. */
const SLOW_MS = 4_000;

describe('attempts in progress', () => {
  let here: DispatcherWorld;
  beforeEach(async () => {
    here = await dispatcherWorld();
    here.receiver.answer(() => ({ status: 200, delayMs: SLOW_MS }));
  });
  afterEach(() => here?.stop());

  const posts = (paths: readonly string[]) => paths.flatMap((path) => here.posts(path));
  /** The messages of another event follow those of the attempts in progress in their partitions. */
  const sendAnother = async (paths: readonly string[]) => {
    await here.changePlan();
    await eventually(() => expect(posts(paths).length).to.be.at.least(2 * paths.length));
    const ids = posts(paths).map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).to.equal(ids.length);
  };

  // Regression: the next owner of an endpoint read the message, whose attempt was not recorded yet, and sent its POST again.
  it('are not made again by the next owner of their endpoint after a stop', async () => {
    const endpointId = await here.endpoint('slow');
    await here.changePlan();
    await eventually(() => expect(here.posts('slow')).to.have.length(1));
    await here.startAnother();
    await here.stopDispatcher();
    expect(await here.row(endpointId)).to.include({ status: 'delivered', attempts: 1 });
    await sendAnother(['slow']);
  });

  it('are not made again by a dispatcher that joins and gets their endpoints', async () => {
    const paths = Array.from({ length: 12 }, (_, index) => `slow-${index}`);
    for (const path of paths) await here.endpoint(path);
    await here.changePlan();
    await eventually(() => expect(posts(paths)).to.have.length(paths.length));
    await here.startAnother();
    await sendAnother(paths);
  });
});

/** When a recovery probe is due: after the endpoint is stored and locked. */
const DUE_IN_MS = 1_000;

describe('a stop while recovery probes cannot be stored', () => {
  let here: DispatcherWorld;
  before(async () => {
    here = await dispatcherWorld({ PROBE_STEP: '100ms' });
    here.receiver.answer(() => ({ status: 200, delayMs: SLOW_MS }));
  });
  after(() => here?.stop());

  /** Changes the endpoint in a transaction that stays open for some seconds: all others conflict with it. @returns ends it */
  const lock = async (endpointId: string) => {
    const { client, collections } = here.world.database;
    const session = client.startSession();
    session.startTransaction();
    await collections.endpoints.updateOne({ _id: endpointId }, { $inc: { touched: 1 } }, { session });
    return () => session.endSession();
  };
  // Regression: the stop waited for the probes first. It kept its partitions and started POSTs meanwhile.
  it('records the attempts in progress and starts no others', async () => {
    const off = { enabled: false, disabledReason: 'consecutive_failures', recovery: 'probe' } as const;
    const times = { disabledAt: new Date(), probeAt: new Date(Date.now() + DUE_IN_MS) };
    const unlock = await lock(await here.endpoint('off', { ...off, ...times } as Partial<Endpoint>));
    const endpointId = await here.endpoint('slow');
    const { db } = here.world.database;
    await profile(db, CONFLICTED);
    await here.changePlan();
    await eventually(() => expect(here.posts('slow')).to.have.length(1));
    await eventually(async () => expect(await readProfile(db)).to.not.deep.equal([]));
    const stopped = here.stopDispatcher();
    await here.changePlan();
    await stopped;
    await unlock();
    expect(await here.row(endpointId)).to.include({ status: 'delivered', attempts: 1 });
    expect(here.posts('slow')).to.have.length(1);
  });
});
