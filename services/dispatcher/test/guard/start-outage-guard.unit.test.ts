import type { GuardRecord } from '@postrider/shared/ports/outage-guard';
import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import { type StartedGuard, startOutageGuard } from '../../src/guard/start-outage-guard.js';
import type { Reach } from '../../src/ports/guard.js';
import { aLog } from '../engine/builders.js';
import { SETTINGS } from './domains.js';

const ORIGIN = 'https://hooks.customer.example';
const HOLDING: GuardRecord = {
  holding: true,
  domains: [],
  origins: [{ origin: ORIGIN, workspaceId: 'ws_1' }],
};

describe('outage guard that starts', () => {
  const started: StartedGuard[] = [];
  afterEach(() => {
    for (const one of started.splice(0)) one.stop();
  });
  const start = (others: () => Promise<readonly GuardRecord[]>) => {
    const world = { published: [] as GuardRecord[], tried: [] as string[], isUp: false };
    const guard = startOutageGuard({
      settings: SETTINGS,
      canaryEveryMs: 1,
      references: [],
      records: { publish: async (record) => void world.published.push(record), others },
      reaches: async (origin) => {
        world.tried.push(origin);
        return world.isUp;
      },
      monotonicMs: () => performance.now(),
      log: aLog(),
    });
    started.push(guard);
    return Object.assign(world, { guard });
  };

  it('while another process holds sending holds it too, and resumes when its own canaries reach a server', async () => {
    const world = start(async () => [HOLDING]);
    await eventually(() => expect(world.tried).to.include(ORIGIN));
    expect(world.guard.allowance()).to.equal(0);
    expect(world.published.at(-1)).to.deep.equal(HOLDING);
    world.isUp = true;
    await eventually(() => expect(world.guard.isHolding()).to.equal(false));
    expect(world.guard.trips()).to.equal(1);
  });

  it('has read whether another process holds sending by now when it decides at last', async () => {
    let records: readonly GuardRecord[] = [];
    const { guard } = start(async () => records);
    const decided: string[] = [];
    const actions = { record: () => decided.push('recorded'), discard: () => decided.push('discarded') };
    const post = (customer: number, reach: Reach) => {
      const [workspaceId, endpointId] = [`ws${customer % 5}`, `whe${customer}`];
      const origin = `https://hooks.customer${customer}.example`;
      guard.recordOrDiscard({ workspaceId, endpointId, origin, reach, durationMs: 0 }, actions);
    };
    for (let customer = 0; customer < 20; customer += 1) post(customer, 'answered');
    post(0, 'unreached');
    records = [HOLDING];
    await guard.refresh();
    guard.decideNow(() => true);
    expect(decided).to.deep.equal([...Array(20).fill('recorded'), 'discarded']);
  });

  it('sends if no other process holds sending, and if the database is away', async () => {
    for (const others of [
      async () => [{ ...HOLDING, holding: false }],
      () => Promise.reject(new Error('away')),
    ]) {
      const { guard, tried } = start(others);
      await new Promise((resolve) => setImmediate(resolve));
      expect(guard.allowance()).to.equal(Number.POSITIVE_INFINITY);
      expect(tried).to.deep.equal([]);
    }
  });
});
