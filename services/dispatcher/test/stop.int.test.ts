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

describe('a stop during an attempt beside another dispatcher', () => {
  let here: DispatcherWorld;
  before(async () => {
    here = await dispatcherWorld();
  });
  after(() => here?.stop());

  // Regression: the next owner of the endpoint read the message, whose attempt was not recorded yet, and sent its POST again.
  it('makes no POST twice', async () => {
    const SLOW_MS = 4_000;
    here.receiver.answer(() => ({ status: 200, delayMs: SLOW_MS }));
    const slow = await here.endpoint('slow');
    await here.changePlan();
    await eventually(() => expect(here.posts('slow')).to.have.length(1));
    await here.startAnother();
    await here.stopDispatcher();
    expect(await here.row(slow)).to.include({ status: 'delivered', attempts: 1 });
    // Its message follows that of the first event in its partition.
    await here.changePlan();
    await eventually(() => expect(here.posts('slow').length).to.be.at.least(2));
    const ids = here.posts('slow').map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).to.equal(ids.length);
  });
});
