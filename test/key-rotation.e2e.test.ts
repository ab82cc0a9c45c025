import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { type System, startSystem } from './system.js';

const [OLD, NEW] = ['old', 'new'].map(
  (id, index) => `${id}:${Buffer.alloc(32, index + 1).toString('base64')}`,
) as [string, string];

describe('rotating the encryption key of a running system', () => {
  let system: System;
  let secret: string;
  let endpointId: string;
  before(async () => {
    system = await startSystem({ ENCRYPTION_KEYS: OLD });
    const hook = { url: system.receiver.url, eventTypes: ['billing.plan_changed'] };
    endpointId = (await system.client.call<{ id: string }>('POST', '/webhooks', hook)).id;
    secret = await rotateSecret();
  });
  after(() => system?.stop());

  const rotateSecret = async () =>
    (await system.client.call<{ secret: string }>('POST', `/webhooks/${endpointId}/rotate-secret`)).secret;
  /** Sends a test event and verifies it with the endpoint's secret. */
  async function delivers() {
    const { deliveryId } = await system.client.call<{ deliveryId: string }>(
      'POST',
      `/webhooks/${endpointId}/test-event`,
    );
    const post = await eventually(() => {
      const found = system.receiver.received.find(({ id }) => id === deliveryId);
      expect(found, deliveryId).to.not.equal(undefined);
      return found!;
    });
    const headers = post.headers as Record<string, string>;
    expect(new Webhook(secret).verify(post.body, headers)).to.include({ deliveryId });
  }
  /** Another dispatcher takes over, as in a rolling restart. */
  async function dispatcherWith(keys: string) {
    await system.stopService('dispatcher');
    return system.start('dispatcher', { ENCRYPTION_KEYS: keys });
  }
  const rotateKey = (keys: string) =>
    system.admin(['rotate-encryption-key'], { ENCRYPTION_KEYS: keys }).then(
      (out) => ({ code: 0, out }),
      ({ code, stderr }: { code: number; stderr: string }) => ({ code, out: stderr }),
    );

  it('signs correctly before, with both keys configured, and without the old one', async () => {
    await delivers();
    await dispatcherWith(`${OLD},${NEW}`);
    await delivers();
    const { code, out } = await rotateKey(`${NEW},${OLD}`);
    expect([code, out.trim().split('\n').at(-1)]).to.deep.equal([
      0,
      'All secrets are encrypted with "new": "old" may be removed from ENCRYPTION_KEYS everywhere.',
    ]);
    await delivers();
    await dispatcherWith(NEW);
    await delivers();
  });

  it('logs a missing key once, not each second, and delivers when it is configured', async () => {
    const blind = await dispatcherWith(OLD);
    const warnings = () => blind.output.filter((line) => line.includes('attempt.undecryptable'));
    const delivered = delivers();
    await eventually(() => expect(warnings()).to.have.length(1));
    expect(warnings()[0]).to.include('encryption key \\"new\\" is not among the configured keys');
    expect(warnings()[0]).to.include(endpointId).and.to.include('ENCRYPTION_KEYS');
    await dispatcherWith(NEW);
    await delivered;
    expect(warnings()).to.have.length(1);
  });

  it('reports that the old key is missing while a service still encrypts with it', async () => {
    secret = await rotateSecret();
    const refused = await rotateKey(NEW);
    expect(refused.code).to.equal(1);
    expect(refused.out).to.include('ENCRYPTION_KEYS lacks "old", which stored secrets are encrypted with');
    const rotated = await rotateKey(`${NEW},${OLD}`);
    expect(rotated.code, rotated.out).to.equal(0);
    await delivers();
  });
});
