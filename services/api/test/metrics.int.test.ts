import { createTaskRuns } from '@postrider/shared/mongo/task-runs';
import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import { type ApiWorld, apiWorld } from './api-world.js';

describe('api metrics', () => {
  let world: ApiWorld;
  before(async () => {
    world = await apiWorld({ RATE_LIMIT_REST_WRITE: '1' });
  });
  after(() => world?.destroy());

  const lines = async (name: string) => {
    const answer = await fetch(`http://127.0.0.1:${world.api.metricsPort}/metrics`);
    const all = (await answer.text()).split('\n');
    return all.filter((line) => line.startsWith(name) && !line.startsWith('#'));
  };

  it('are served on a separate port', async () => {
    expect(world.api.metricsPort).not.to.equal(world.api.port);
    expect((await fetch(`http://127.0.0.1:${world.api.port}/metrics`)).status).to.equal(404);
  });

  it('count a rate-limited request by its bucket', async () => {
    const caller = await world.as(['admin']);
    const name = (n: number) => ({ name: `${n}`, scopes: ['read'] });
    for (const n of [1, 2, 3]) await caller.request('/api-tokens', { body: name(n) });
    await eventually(async () =>
      expect(await lines('postrider_rate_limited_total')).to.deep.equal([
        'postrider_rate_limited_total{bucket="rest_write"} 2',
      ]),
    );
  });

  it('contain no unknown paths of callers', async () => {
    await fetch(`http://127.0.0.1:${world.api.port}/made-up-4711`);
    await eventually(async () => {
      const requests = await lines('postrider_http_requests_total');
      expect(requests.join('\n')).to.contain('{operation="none",status="404"}').and.not.contain('4711');
    });
  });

  it("contain the janitor's runs once it has run", async () => {
    expect(await lines('postrider_janitor')).to.deep.equal([]);
    const at = new Date('2026-03-02T12:00:00Z');
    const ended = new Date('2026-03-02T12:00:30Z');
    const run = {
      task: 'cleanup',
      startedAt: at,
      endedAt: ended,
      result: { handled: 300, isFinished: false },
      settings: { retentionMs: 60_000 },
    };
    await createTaskRuns(world.database.collections).record(run);
    await eventually(async () =>
      expect(await lines('postrider_janitor')).to.deep.equal([
        `postrider_janitor_last_success_timestamp_seconds{task="cleanup"} ${ended.getTime() / 1_000}`,
        `postrider_janitor_unfinished_since_timestamp_seconds{task="cleanup"} ${at.getTime() / 1_000}`,
        `postrider_janitor_last_run_timestamp_seconds{task="cleanup"} ${ended.getTime() / 1_000}`,
        'postrider_janitor_last_run_duration_seconds{task="cleanup"} 30',
        'postrider_janitor_last_run_handled{task="cleanup"} 300',
        'postrider_janitor_retention_seconds 60',
      ]),
    );
  });
});
