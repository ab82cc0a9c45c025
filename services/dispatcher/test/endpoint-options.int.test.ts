import { createPublicKey, verify } from 'node:crypto';
import { changeSigning } from '@postrider/shared/domain/rotation';
import { newKey } from '@postrider/shared/domain/signing';
import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { type DispatcherWorld, dispatcherWorld } from './dispatcher-world.js';

describe('endpoint options in the dispatcher', () => {
  let here: DispatcherWorld;
  before(async () => {
    here = await dispatcherWorld();
  });
  after(() => here?.stop());

  const arrived = (path: string, count: number) =>
    eventually(() => {
      expect(here.posts(path)).to.have.length(count);
      return here.posts(path);
    });

  it('delivers what a filter matches, and makes no row for the rest', async () => {
    const team = await here.endpoint('team', {
      filter: JSON.stringify({ plan: ['team'], previousPlan: [{ exists: true }] }),
    });
    const free = await here.endpoint('free', {
      filter: JSON.stringify({ plan: [{ anything_but: 'team' }] }),
    });
    await here.changePlan();
    await arrived('team', 1);
    expect(await here.row(free)).to.equal(null);
    await Promise.all([team, free].map(here.disable));
  });

  it('sends the headers of the endpoint and records their names alone', async () => {
    const id = await here.endpoint('headers');
    const sealed = here.seal(JSON.stringify({ authorization: 'Bearer s3cret', 'x$.team': 'billing' }), id);
    const headers = { names: ['authorization', 'x$.team'], sealed };
    await here.world.database.collections.endpoints.updateOne({ _id: id }, { $set: { headers } });
    await here.changePlan();
    const [post] = await arrived('headers', 1);
    expect(post!.headers).to.include({ authorization: 'Bearer s3cret', 'x$.team': 'billing' });
    await eventually(async () => expect(await here.row(id)).to.include({ status: 'delivered' }));
    const [attempt] = await here.attempts(id);
    expect(attempt!.requestHeaders).to.include({ authorization: '•••', 'x$.team': '•••' });
    expect(JSON.stringify(await here.row(id))).to.not.include('s3cret');
    await here.disable(id);
  });

  it('signs with both kinds after a change to ed25519', async () => {
    const id = await here.endpoint('asymmetric');
    const { endpoints } = here.world.database.collections;
    const { secrets } = (await endpoints.findOne({ _id: id }))!;
    const { secret, publicKey } = newKey('ed25519', Buffer.alloc(32, 9));
    const changed = changeSigning(secrets!, { secret: here.seal(secret, id), publicKey }, new Date());
    await endpoints.updateOne({ _id: id }, { $set: { secrets: changed } });
    await here.changePlan();
    const [post] = await arrived('asymmetric', 1);
    const headers = post!.headers as Record<string, string>;
    const [, signature] = /^v1a,(\S+) v1,\S+$/.exec(headers['webhook-signature']!)!;
    const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${post!.body}`;
    const x = Buffer.from(publicKey!.slice('whpk_'.length), 'base64').toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    expect(verify(null, Buffer.from(content), key, Buffer.from(signature!, 'base64'))).to.equal(true);
    expect(new Webhook(here.secret).verify(post!.body, headers)).to.be.an('object');
    await here.disable(id);
  });

  it('starts POSTs no faster than the rate, while others are not held back', async () => {
    const slow = await here.endpoint('slow', { ratePerSecond: 5 });
    const other = await here.endpoint('other');
    for (let count = 0; count < 12; count += 1) await here.changePlan();
    await arrived('other', 12);
    const otherEnd = here.posts('other').at(-1)!.at;
    const times = (
      await eventually(() => {
        expect(here.posts('slow')).to.have.length(12);
        return here.posts('slow');
      }, 20_000)
    ).map(({ at }) => at);
    expect(times.at(-1)! - times[0]!, '11 gaps of 200 ms').to.be.at.least(11 * 200 - 100);
    expect(otherEnd).to.be.lessThan(times.at(-1)!);
    await Promise.all([slow, other].map(here.disable));
    expect(await here.row(slow)).to.include({ attempts: 1, failureReason: null });
  });
});
