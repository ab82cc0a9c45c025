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
