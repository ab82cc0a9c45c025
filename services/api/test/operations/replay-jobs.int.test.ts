import type { DeliveryStatus } from '@postrider/shared/domain/delivery';
import { NOTHING_SKIPPED } from '@postrider/shared/domain/replay-job';
import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import type { Page } from '../../src/contract/page.js';
import type { ReplayJob } from '../../src/contract/replay-job.js';
import type { ApiClient } from '../api-client.js';
import { type ApiWorld, apiWorld, newId } from '../api-world.js';
import { storedDelivery } from '../delivery-row.js';
import { type Endpoints, endpointsOf } from './endpoints-of.js';

const HOUR_MS = 3_600_000;

describe('replay jobs', () => {
  let world: ApiWorld;
  let admin: ApiClient;
  let endpoints: Endpoints;
  before(async () => {
    world = await apiWorld();
    admin = await world.as(['admin']);
    endpoints = endpointsOf(world, admin);
  });
  after(() => world?.destroy());

  const start = Date.now() - HOUR_MS;
  const deliveries = () => world.database.collections.deliveries;
  const endpointId = async () => (await endpoints.create()).id;
  const ago = (ms: number) => new Date(Date.now() - ms);

  /** Failures of an endpoint, one a second, the first one at `start`. */
  async function failures(id: string, count: number, status: DeliveryStatus = 'dead_lettered') {
    const rows = Array.from({ length: count }, (_, n) =>
      storedDelivery(world, { endpointId: id, status, createdAt: new Date(start + n * 1_000) }),
    );
    return (await Promise.all(rows)).map((row) => row.id);
  }
  const create = async (body: object) =>
    (
      await admin.request<ReplayJob>('/webhooks/replay-jobs', {
        body: { createdAfter: ago(2 * HOUR_MS), ...body },
      })
    ).body;
  const get = async (id: string) => (await admin.request<ReplayJob>(`/webhooks/replay-jobs/${id}`)).body;
  const cancel = (id: string) =>
    admin.requestRefused(`/webhooks/replay-jobs/${id}/cancel`, { method: 'POST', body: undefined });
  const ended = (id: string) =>
    eventually(async () => {
      const job = await get(id);
      expect(job.endedAt).to.be.a('string');
      return job;
    });
  const replaysOf = (ids: readonly string[]) =>
    deliveries()
      .find({ replayedFrom: { $in: [...ids] } })
      .sort({ _id: 1 })
      .toArray();
  const handled = ({ replayed, skipped }: ReplayJob) =>
    Object.values(skipped).reduce((sum, count) => sum + count, replayed);

  it('replays every matching delivery once, with its audit entry and message', async () => {
    const id = await endpointId();
    const sources = await failures(id, 30);
    const offered = world.offered.length;
    const created = await create({ endpointId: id, ratePerSecond: 1_000 });
    expect(created).to.deep.include({ status: 'counting', matched: null, replayed: 0, endedAt: null });
    const job = await ended(created.jobId);
    expect(job).to.deep.include({ status: 'succeeded', matched: 30, replayed: 30, skipped: NOTHING_SKIPPED });
    const replays = await replaysOf(sources);
    expect(replays.map(({ replayedFrom }) => replayedFrom)).to.have.members(sources);
    for (const replay of replays) {
      expect(replay).to.include({ status: 'pending', class: 'replay', endpointId: id, attempts: 0 });
    }
    const records = world.offered.slice(offered);
    expect(records.map((record) => record.id)).to.have.members(replays.map(({ _id }) => _id));
    expect(records.map(({ value }) => value.class)).to.deep.equal(replays.map(() => 'replay'));
    const [entry] = await world.audits(sources[0]!);
    expect(entry).to.deep.include({
      action: 'webhook.delivery_replayed',
      actor: { type: 'api_token', id: admin.tokenId },
    });
    expect(entry!.metadata).to.include({ jobId: job.jobId });
    const [audit] = await world.audits(job.jobId);
    expect(audit).to.include({ action: 'webhook.replay_job_created' });
    expect(entry!.source).to.be.an('object').and.deep.equal(audit!.source);
    expect(await world.database.collections.replaySources.countDocuments({})).to.equal(0);
  });

  it('exports the active jobs by state, and the rows of all by result', async () => {
    const read = async (series: string) => {
      const answer = await fetch(`http://127.0.0.1:${world.api.metricsPort}/metrics`);
      const line = (await answer.text()).split('\n').find((one) => one.startsWith(`${series} `));
      return Number(line?.slice(series.length));
    };
    const rows = async () => ({
      replayed: await read('postrider_replay_job_rows_total{result="replayed"}'),
      alreadyReplayed: await read('postrider_replay_job_rows_total{result="alreadyReplayed"}'),
    });
    const id = await endpointId();
    const [first] = await failures(id, 3);
    await admin.request(`/webhooks/deliveries/${first}/replay`, { method: 'POST' });
    const before = await rows();
    await ended((await create({ endpointId: id })).jobId);
    expect(await rows()).to.deep.equal({
      replayed: before.replayed + 2,
      alreadyReplayed: before.alreadyReplayed + 1,
    });
    const slow = await endpointId();
    await failures(slow, 30);
    const { jobId } = await create({ endpointId: slow, ratePerSecond: 1 });
    await eventually(async () => {
      expect(await read('postrider_replay_jobs{state="running"}')).to.equal(1);
      expect(await read('postrider_replay_job_oldest_seconds')).to.be.above(0);
    });
    await cancel(jobId);
  });

  it('is found in the list and by its id, and only in its own workspace', async () => {
    const id = await endpointId();
    const { jobId } = await create({ endpointId: id, dryRun: true });
    const { body } = await admin.request<Page<ReplayJob>>('/webhooks/replay-jobs?limit=1');
    expect(body.items.map((job) => job.jobId)).to.deep.equal([jobId]);
    const stranger = await world.as(['admin'], { workspace: await world.addWorkspace('jobs-stranger') });
    const { body: problem } = await stranger.requestRefused(`/webhooks/replay-jobs/${jobId}`);
    expect(problem.tag).to.equal('ReplayJobNotFound');
    const list = await stranger.request<Page<ReplayJob>>('/webhooks/replay-jobs');
    expect(list.body.items).to.deep.equal([]);
  });

  it('only counts in a dry run', async () => {
    const id = await endpointId();
    const sources = await failures(id, 3);
    const job = await ended((await create({ endpointId: id, dryRun: true })).jobId);
    expect(job).to.deep.include({ status: 'succeeded', matched: 3, replayed: 0, skipped: NOTHING_SKIPPED });
    expect(await replaysOf(sources)).to.be.empty;
  });

  it('counts in a dry run what a job would skip', async () => {
    const [enabled, disabled, deleted] = [await endpointId(), await endpointId(), await endpointId()];
    const sources = await failures(enabled, 4);
    await failures(disabled, 2);
    await failures(deleted, 3);
    const eventTypes = ['billing.plan_changed'];
    const before = await ended((await create({ eventTypes, dryRun: true })).jobId);
    await admin.request(`/webhooks/deliveries/${sources[1]}/replay`, { method: 'POST' });
    await admin.request(`/webhooks/${disabled}`, { method: 'PATCH', body: { enabled: false } });
    await admin.request(`/webhooks/${deleted}`, { method: 'DELETE' });
    const counted = await ended((await create({ eventTypes, dryRun: true })).jobId);
    expect(counted).to.include({ status: 'succeeded', matched: before.matched, replayed: 0 });
    const more = (reason: keyof typeof NOTHING_SKIPPED) => counted.skipped[reason] - before.skipped[reason];
    expect([more('alreadyReplayed'), more('endpointDisabled'), more('endpointDeleted')]).to.deep.equal([
      1, 2, 3,
    ]);
    const job = await ended((await create({ eventTypes, ratePerSecond: 1_000 })).jobId);
    expect(job.skipped, 'as the job does').to.deep.equal(counted.skipped);
    const included = { endpointId: enabled, includeReplayed: true, dryRun: true };
    expect((await ended((await create(included)).jobId)).skipped).to.deep.equal(NOTHING_SKIPPED);
    // Other tests count what jobs for all endpoints skip.
    await deliveries().deleteMany({ endpointId: { $in: [disabled, deleted] } });
  });

  it('selects by status, event type, reason and time', async () => {
    const id = await endpointId();
    await failures(id, 2);
    await failures(id, 3, 'failed_permanent');
    await failures(id, 1, 'delivered');
    await failures(id, 1, 'failed');
    const matched = async (filter: object) =>
      (await ended((await create({ endpointId: id, dryRun: true, ...filter })).jobId)).matched;
    expect(await matched({})).to.equal(5);
    expect(await matched({ statuses: ['failed_permanent'] })).to.equal(3);
    expect(await matched({ statuses: ['failed', 'dead_lettered'] })).to.equal(3);
    expect(await matched({ failureReasons: ['retries_exhausted', 'dns'] })).to.equal(2);
    expect(await matched({ eventTypes: ['webhook.test_event'] })).to.equal(0);
    expect(await matched({ eventTypes: ['billing.plan_changed'] })).to.equal(5);
    expect(await matched({ createdAfter: new Date(start + 500) })).to.equal(3);
    expect(await matched({ createdBefore: new Date(start + 500) })).to.equal(2);
  });

  it('matches each delivery on one side of a time with a fraction of a millisecond', async () => {
    const id = await endpointId();
    await failures(id, 3);
    const time = new Date(start + 1_000).toISOString().replace('Z', '001Z');
    const matched = async (filter: object) =>
      (await ended((await create({ endpointId: id, dryRun: true, ...filter })).jobId)).matched;
    expect([await matched({ createdBefore: time }), await matched({ createdAfter: time })]).to.deep.equal([
      2, 1,
    ]);
    const moment = { createdAfter: new Date(start + 1_000).toISOString(), createdBefore: time };
    expect(await matched(moment), 'nothing is between').to.equal(0);
  });

  it('selects dead-lettered deliveries by the reason of the last attempt', async () => {
    const id = await endpointId();
    const [first, ...others] = await failures(id, 3);
    const failedWith = (ids: readonly string[], failureReason: string) =>
      deliveries().updateMany(
        { _id: { $in: [...ids] } },
        { $set: { lastAttempt: { failureReason } } as object },
      );
    await failedWith([first!], 'dns');
    await failedWith(others, 'tls');
    await failures(id, 1, 'failed_permanent');
    const filter = { endpointId: id, lastFailureReasons: ['tls' as const] };
    const counted = await ended((await create({ ...filter, dryRun: true })).jobId);
    expect(counted.matched).to.equal(2);
    expect(counted.filter).to.deep.include({ failureReasons: null, lastFailureReasons: ['tls'] });
    const job = await ended((await create(filter)).jobId);
    expect(job).to.deep.include({ matched: 2, replayed: 2, skipped: NOTHING_SKIPPED });
    expect((await replaysOf(others)).length).to.equal(2);
    const [audit] = await world.audits(job.jobId);
    expect(audit!.metadata).to.have.nested.property('filter.lastFailureReasons[0]', 'tls');
  });

  it('skips what was replayed before, unless it is included, and adds up', async () => {
    const id = await endpointId();
    const sources = await failures(id, 4);
    await admin.request(`/webhooks/deliveries/${sources[1]}/replay`, { method: 'POST' });
    const first = await ended((await create({ endpointId: id })).jobId);
    expect(first).to.deep.include({ replayed: 3, skipped: { ...NOTHING_SKIPPED, alreadyReplayed: 1 } });
    const second = await ended((await create({ endpointId: id })).jobId);
    expect(second).to.deep.include({ replayed: 0, skipped: { ...NOTHING_SKIPPED, alreadyReplayed: 4 } });
    const third = await ended((await create({ endpointId: id, includeReplayed: true })).jobId);
    expect(third).to.deep.include({ matched: 4, replayed: 4, skipped: NOTHING_SKIPPED });
    expect(await replaysOf(sources)).to.have.length(8);
  });

  it('skips deliveries that are still being retried, and those of closed endpoints', async () => {
    const [retried, disabled, deleted] = [await endpointId(), await endpointId(), await endpointId()];
    await failures(retried, 1, 'failed');
    await failures(disabled, 2);
    await failures(deleted, 3);
    await admin.request(`/webhooks/${disabled}`, { method: 'PATCH', body: { enabled: false } });
    await admin.request(`/webhooks/${deleted}`, { method: 'DELETE' });
    const owners = [retried, disabled, deleted];
    const statuses = ['failed', 'dead_lettered'];
    const job = await ended((await create({ statuses })).jobId);
    expect(job.skipped).to.include({ endpointDisabled: 2, endpointDeleted: 3 });
    expect(await deliveries().countDocuments({ endpointId: { $in: owners }, class: 'replay' })).to.equal(0);
    expect(job.skipped.changed).to.be.above(0);
    expect(handled(job)).to.equal(job.matched);
  });

  it('lets one of two overlapping jobs replay a delivery', async () => {
    const id = await endpointId();
    const sources = await failures(id, 40);
    const jobs = await Promise.all([1, 2, 3].map(() => create({ endpointId: id, ratePerSecond: 1_000 })));
    const results = await Promise.all(jobs.map(({ jobId }) => ended(jobId)));
    expect(results.reduce((sum, { replayed }) => sum + replayed, 0)).to.equal(40);
    for (const job of results) expect(handled(job)).to.equal(40);
    expect(new Set((await replaysOf(sources)).map(({ replayedFrom }) => replayedFrom))).to.have.property(
      'size',
      40,
    );
  });

  it('stops when it is cancelled, and cannot be cancelled again', async () => {
    const id = await endpointId();
    const sources = await failures(id, 30);
    const { jobId } = await create({ endpointId: id, ratePerSecond: 1 });
    await eventually(async () => expect((await get(jobId)).replayed).to.be.above(0));
    const { status, body } = await cancel(jobId);
    expect(status).to.equal(200);
    expect(body).to.include({ status: 'cancelled' });
    const job = await get(jobId);
    expect(handled(job)).to.equal(job.matched);
    expect(await replaysOf(sources)).to.have.length(job.replayed);
    const { replaySources } = world.database.collections;
    expect(await replaySources.countDocuments({ _id: { $gte: jobId, $lt: `${jobId};` } })).to.equal(0);
    expect((await cancel(jobId)).body.tag).to.equal('ReplayJobEnded');
    expect((await world.audits(jobId)).map(({ action }) => action)).to.deep.equal([
      'webhook.replay_job_created',
      'webhook.replay_job_cancelled',
    ]);
  });

  it('skips the rest when its endpoint is deleted midway', async () => {
    const id = await endpointId();
    await failures(id, 10);
    const { jobId } = await create({ endpointId: id, ratePerSecond: 1 });
    await eventually(async () => expect((await get(jobId)).replayed).to.be.above(0));
    await admin.request(`/webhooks/${id}`, { method: 'DELETE' });
    const job = await ended(jobId);
    expect(job.skipped.endpointDeleted).to.be.above(0);
    expect(handled(job)).to.equal(10);
  });

  it('skips what expires midway, and the rest of an endpoint that is disabled midway', async () => {
    const [expiring, disabled] = [await endpointId(), await endpointId()];
    const begun = async (id: string) => {
      await failures(id, 10);
      const { jobId } = await create({ endpointId: id, ratePerSecond: 1 });
      await eventually(async () => expect((await get(jobId)).replayed).to.be.above(0));
      return jobId;
    };
    const [one, other] = await Promise.all([begun(expiring), begun(disabled)]);
    await deliveries().deleteMany({ endpointId: expiring, status: 'dead_lettered' });
    await admin.request(`/webhooks/${disabled}`, { method: 'PATCH', body: { enabled: false } });
    const [first, second] = await Promise.all([ended(one), ended(other)]);
    expect(first.skipped.expired).to.be.above(0);
    expect(second.skipped.endpointDisabled).to.be.above(0);
    for (const job of [first, second]) {
      expect(job).to.include({ status: 'succeeded', matched: 10 });
      expect(handled(job)).to.equal(10);
    }
  });

  it('refuses endpoints and jobs that are closed, unknown or of another workspace', async () => {
    const answer = async (caller: ApiClient, path: string, body?: object) => {
      const { status, body: problem } = await caller.requestRefused(path, { method: 'POST', body });
      return [status, problem.tag];
    };
    const at = (endpointId: string) => ({ createdAfter: ago(HOUR_MS), endpointId });
    const [id, disabled, deleted] = [await endpointId(), await endpointId(), await endpointId()];
    await admin.request(`/webhooks/${disabled}`, { method: 'PATCH', body: { enabled: false } });
    await admin.request(`/webhooks/${deleted}`, { method: 'DELETE' });
    const jobs = '/webhooks/replay-jobs';
    expect(await answer(admin, jobs, at(disabled))).to.deep.equal([409, 'EndpointDisabled']);
    expect(await answer(admin, jobs, at(deleted))).to.deep.equal([404, 'EndpointNotFound']);
    expect(await answer(admin, jobs, at('whd_4711'))).to.deep.equal([404, 'EndpointNotFound']);
    const contradictory = { ...at(disabled), createdBefore: ago(2 * HOUR_MS) };
    expect(await answer(admin, jobs, contradictory), 'input before state').to.deep.equal([
      400,
      'InvalidRequest',
    ]);
    expect(await answer(admin, jobs, { ...at(id), rate: 5 })).to.deep.equal([400, 'InvalidRequest']);
    const stranger = await world.as(['admin'], { workspace: await world.addWorkspace('jobs-other') });
    expect(await answer(stranger, jobs, at(id))).to.deep.equal([404, 'EndpointNotFound']);
    const { jobId } = await create({ endpointId: id, dryRun: true });
    for (const [caller, job] of [
      [stranger, jobId],
      [admin, newId('replayJob')],
      [admin, 'rpl_4711'],
    ] as const)
      expect(await answer(caller, `${jobs}/${job}/cancel`), job).to.deep.equal([404, 'ReplayJobNotFound']);
  });

  it('is paused while sending is held', async () => {
    const id = await endpointId();
    await failures(id, 1);
    const { outageGuards } = world.database.collections;
    world.clock.advance(1_001);
    const expiresAt = new Date(world.clock.now().getTime() + 50_000);
    await outageGuards.insertOne({ _id: 'dispatcher', holding: true, domains: [], expiresAt });
    world.clock.advance(1_001);
    const { jobId } = await create({ endpointId: id });
    await eventually(async () => expect((await get(jobId)).status).to.equal('paused'));
    await outageGuards.deleteOne({ _id: 'dispatcher' });
    expect(await ended(jobId)).to.include({ status: 'succeeded', replayed: 1 });
  });

  // Regression: the repetition was refused for the state that the job itself had led to.
  it('gives the answer to a repeated request again, though its endpoint is disabled meanwhile', async () => {
    const id = await endpointId();
    const request = {
      body: { endpointId: id, createdAfter: ago(HOUR_MS) },
      headers: { 'idempotency-key': `job-of-${id}` },
    };
    const first = await admin.request<ReplayJob>('/webhooks/replay-jobs', request);
    await admin.request(`/webhooks/${id}`, { method: 'PATCH', body: { enabled: false } });
    const second = await admin.requestRefused('/webhooks/replay-jobs', request);
    expect([second.status, second.body]).to.deep.equal([202, first.body]);
  });

  it('refuses contradictory times, unknown values and a sixth active job', async () => {
    const refused = (body: object) =>
      admin.requestRefused('/webhooks/replay-jobs', { body: { createdAfter: ago(HOUR_MS), ...body } });
    const mistakes = async (body: object) => (await refused(body)).body.errors?.map(({ path }) => path);
    expect(await mistakes({ createdBefore: ago(HOUR_MS + 1_000) })).to.deep.equal(['createdBefore']);
    expect(await mistakes({ createdAfter: ago(-HOUR_MS) })).to.deep.equal(['createdAfter']);
    const all = { eventTypes: ['none', 'billing.plan_changed', 'no'], createdBefore: ago(2 * HOUR_MS) };
    expect(await mistakes(all)).to.deep.equal(['eventTypes[0]', 'eventTypes[2]', 'createdBefore']);
    expect(await mistakes({ createdAfter: undefined })).to.deep.equal(['createdAfter']);
    expect(await mistakes({ statuses: ['delivered'] })).to.deep.equal(['statuses[0]']);
    expect(await mistakes({ statuses: [] })).to.deep.equal(['statuses']);
    expect(await mistakes({ failureReasons: ['bad'] })).to.deep.equal(['failureReasons[0]']);
    const last = ['retries_exhausted'];
    expect(await mistakes({ lastFailureReasons: last })).to.deep.equal(['lastFailureReasons[0]']);
    expect(await mistakes({ ratePerSecond: 0 })).to.deep.equal(['ratePerSecond']);
    expect(await mistakes({ ratePerSecond: 1_001 })).to.deep.equal(['ratePerSecond']);
    expect(await mistakes({ ratePerSecond: 1.5 })).to.deep.equal(['ratePerSecond']);
    expect((await refused({ endpointId: newId('endpoint') })).body.tag).to.equal('EndpointNotFound');
    const id = await endpointId();
    await failures(id, 100);
    const jobs = [];
    for (let n = 0; n < 5; n += 1) jobs.push(await create({ endpointId: id, ratePerSecond: 1 }));
    const sixth = await refused({ endpointId: id });
    expect([sixth.status, sixth.body.tag]).to.deep.equal([409, 'TooManyReplayJobs']);
    for (const { jobId } of jobs) expect((await cancel(jobId)).status).to.equal(200);
    await ended((await create({ endpointId: id, dryRun: true })).jobId);
  });

  // Last: what it stores is newer than the rows of other tests.
  it("makes replays due at once by the machine's clock while the database's is an hour ahead", async () => {
    const id = await endpointId();
    const sources = await failures(id, 2);
    world.clock.advance(HOUR_MS);
    await ended((await create({ endpointId: id })).jobId);
    const replays = await replaysOf(sources);
    expect(replays).to.have.length(2);
    for (const { dueAt } of replays) expect(dueAt).to.be.at.most(new Date());
  });
});
