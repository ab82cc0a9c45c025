import { connectMongo } from '@postrider/shared/mongo/connect';
import { expect } from 'chai';
import { createRateLimits } from '../../src/rate-limits/rate-limits.js';
import { createSharedCounters } from '../../src/rate-limits/shared-counters.js';
import { type ApiWorld, apiWorld } from '../api-world.js';
import { recordedLog } from '../recorded-log.js';

const LIMITS = { rest_read: 10, rest_write: 5, mcp: 1, assistant: 1, publish: 1 };

describe('shared rate limits', () => {
  let world: ApiWorld;
  before(async () => {
    world = await apiWorld({ RATE_LIMIT_REST_READ: '3' });
  });
  after(() => world?.destroy());

  const inOneProcess = (collections = world.database.collections) => {
    const log = recordedLog();
    const shared = createSharedCounters(collections);
    return {
      log,
      limits: createRateLimits({
        limits: LIMITS,
        shared,
        // The counts have to be the shared ones on a busy machine as well.
        sharedTimeoutMs: 30_000,
        monotonicMs: () => performance.now(),
        log,
      }),
    };
  };

  it('limit a token by the configured rate', async () => {
    const reader = await world.as(['read']);
    const statuses: number[] = [];
    for (let count = 0; count < 4; count += 1) statuses.push((await reader.request('/webhooks')).status);
    expect(statuses).to.deep.equal([200, 200, 200, 429]);
    const limited = await reader.requestRefused('/overview');
    expect([limited.status, limited.body.tag]).to.deep.equal([429, 'RateLimited']);
    expect((await (await world.as(['read'])).request('/webhooks')).status).to.equal(200);
  });

  it('apply one limit to concurrent requests at several processes', async () => {
    const processes = [inOneProcess(), inOneProcess()];
    const results = await Promise.all(
      Array.from({ length: 24 }, (_, index) => processes[index % 2]!.limits('rest_read', 'tok_shared')),
    );
    expect(results.filter((result) => result!.isAdmitted)).to.have.length(10);
    expect(processes.flatMap(({ log }) => log.lines)).to.be.empty;
  });

  it('do not use the database for clients over the limit', async () => {
    const { limits } = inOneProcess();
    for (let count = 0; count < 20; count += 1) await limits('rest_write', 'tok_flood');
    const stored = await world.database.collections.rateLimits.findOne({ key: 'rest_write:tok_flood' });
    expect(stored!.points).to.equal(6);
  });

  it('expire in the database after their window', async () => {
    const indexes = await world.database.collections.rateLimits.indexes();
    expect(indexes.find((index) => index.expireAfterSeconds === 0)?.key).to.deep.equal({ expire: 1 });
  });

  it('count in the process without delay when the database is unreachable', async () => {
    const away = await connectMongo(process.env.MONGODB_URI!, 'test');
    await away.close();
    const { limits, log } = inOneProcess(away.collections);
    const startedAt = performance.now();
    const results = [];
    for (let count = 0; count < 7; count += 1) results.push(await limits('rest_write', 'tok_away'));
    expect(performance.now() - startedAt).to.be.below(1_000);
    expect(results.filter((result) => result!.isAdmitted)).to.have.length(5);
    expect(log.lines[0]!.facts.event).to.equal('rate_limits.not_shared');
  });
});
