import { randomBytes } from 'node:crypto';
import { type ConformanceCheck, newCheck, PROBES } from '@postrider/shared/domain/conformance-check';
import { asId, idOf } from '@postrider/shared/domain/id';
import { toDocument } from '@postrider/shared/mongo/documents';
import { eventually } from '@postrider/shared/testing/eventually';
import type { Received } from '@postrider/shared/testing/receiver';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { type DispatcherWorld, dispatcherWorld } from '../dispatcher-world.js';

type Judge = (post: Received, verify: (body: string | Buffer) => void) => void;

describe('conformance checks', () => {
  let here: DispatcherWorld;
  before(async () => {
    here = await dispatcherWorld();
  });
  after(() => here?.stop());

  const checks = () => here.world.database.collections.conformanceChecks;
  /** Receivers by path: one that throws answers 400. */
  const receivers = new Map<string, Judge>();
  const receive = (path: string, judge: Judge) => {
    receivers.set(`/${path}`, judge);
    here.receiver.answer((post) => {
      const verify = (body: string | Buffer) =>
        void new Webhook(here.secret).verify(body, post.headers as Record<string, string>);
      try {
        receivers.get(post.path)?.(post, verify);
        return { status: 204 };
      } catch {
        return { status: 400 };
      }
    });
  };
  async function store(endpointId: string, changes: Partial<ConformanceCheck> & { leaseUntil?: Date } = {}) {
    const { leaseUntil, ...facts } = changes;
    const startedAt = facts.startedAt ?? new Date();
    const endpoint = await here.world.database.collections.endpoints.findOne({ _id: endpointId });
    const check = newCheck({
      id: idOf('conformanceCheck', startedAt, randomBytes(10)),
      workspaceId: asId('workspace', endpoint!.workspaceId),
      endpointId: asId('endpoint', endpointId),
      traceId: 'a'.repeat(32),
      startedAt,
    });
    const expiresAt = new Date(Date.now() + 3_600_000);
    const lease = { leaseHolder: 'a process that ended', leaseUntil: leaseUntil ?? startedAt };
    await checks().insertOne({ ...toDocument({ ...check, ...facts }), ...lease, expiresAt });
    return check.id;
  }
  const ended = (id: string) =>
    eventually(async () => {
      const check = await checks().findOne({ _id: id });
      expect(check?.endedAt).to.be.instanceOf(Date);
      return check!;
    }, 20_000);
  const failedProbes = ({ results }: Pick<ConformanceCheck, 'results'>) =>
    results.filter(({ passed }) => !passed).map(({ probe }) => probe);

  it('passes a receiver that verifies the raw body, and stores no delivery and no failure', async () => {
    receive('good', (post, verify) => verify(post.body));
    const endpointId = await here.endpoint('good');
    const check = await ended(await store(endpointId));
    expect(failedProbes(check)).to.deep.equal([]);
    expect(check).to.include({ status: 'passed' });
    expect(check).not.to.have.any.keys('leaseUntil', 'leaseHolder');
    expect(check.results.map(({ got }) => got?.httpStatus)).to.deep.equal([
      204, 204, 204, 400, 400, 400, 204,
    ]);
    expect(here.posts('good')).to.have.length(PROBES.length + 1);
    expect(await here.row(endpointId)).to.equal(null);
    const { endpoints } = here.world.database.collections;
    expect(await endpoints.findOne({ _id: endpointId })).to.include({
      consecutiveFailures: 0,
      enabled: true,
    });
  });

  it('fails a receiver that does not verify, and one that parses the body before', async () => {
    receive('open', () => {});
    const open = await ended(await store(await here.endpoint('open')));
    expect(failedProbes(open)).to.deep.equal(['forged', 'stale', 'missing_headers']);
    expect(open.status).to.equal('failed');
    receive('parsing', (post, verify) => verify(JSON.stringify(JSON.parse(post.body))));
    const parsing = await ended(await store(await here.endpoint('parsing')));
    expect(failedProbes(parsing)).to.deep.equal(['valid', 'duplicate', 'two_signatures', 'slow_body']);
  });

  it('continues after the last stored result of a process that was killed', async () => {
    receive('resumed', (post, verify) => verify(post.body));
    const passed = { got: { httpStatus: 204, durationMs: 1 }, passed: true, advice: null };
    const results = PROBES.slice(0, 5).map((probe) => ({ probe, expected: '2xx' as const, ...passed }));
    const check = await ended(await store(await here.endpoint('resumed'), { results }));
    expect(check.status).to.equal('passed');
    expect(here.posts('resumed')).to.have.length(2);
  });

  it('leaves a check to the process that has its lease', async () => {
    const endpointId = await here.endpoint('leased');
    const leased = await store(endpointId, { leaseUntil: new Date(Date.now() + 60_000) });
    await ended(await store(endpointId));
    expect(await checks().findOne({ _id: leased })).to.deep.include({ status: 'running', results: [] });
  });

  it('ends without sending when it has waited too long, or the endpoint is disabled', async () => {
    const tooOld = await here.endpoint('too-old');
    const old = await ended(await store(tooOld, { startedAt: new Date(Date.now() - 3_600_000) }));
    expect(old.results.map(({ advice }) => advice)).to.satisfy((advices: string[]) =>
      advices.every((advice) => advice.includes('within five minutes')),
    );
    const disabled = await here.endpoint('disabled');
    await here.disable(disabled);
    const closed = await ended(await store(disabled));
    expect(closed.results[0]).to.include({ passed: false });
    expect(closed.results[0]!.advice).to.include('disabled');
    expect([...here.posts('too-old'), ...here.posts('disabled')]).to.be.empty;
  });

  it('obeys the egress rules and does not continue at a receiver that does not respond', async () => {
    const endpointId = await here.endpoint('blocked');
    const { endpoints } = here.world.database.collections;
    await endpoints.updateOne({ _id: endpointId }, { $set: { url: 'http://10.0.0.1/x' } });
    const check = await ended(await store(endpointId));
    expect(check.results[0]).to.deep.include({ got: null, passed: false });
    expect(check.results[0]!.advice).to.include('URL');
    expect(check.results[1]!.advice).to.include('Not sent');
  });
});
