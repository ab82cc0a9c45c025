import { eventually } from '@postrider/shared/testing/eventually';
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
