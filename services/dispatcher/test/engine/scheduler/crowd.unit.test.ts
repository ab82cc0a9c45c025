import { expect } from 'chai';
import { type CrowdEndpoint, type CrowdWindow, runCrowd } from './crowd.js';

const HEALTHY_MS = 50;
const SILENT_MS = 60_000;

/** Endpoints of so many workspaces; the first `troubled` of each hundred take `takesMs` per POST. */
function crowd(count: number, options: { workspaces: number; troubled: number } & Partial<CrowdEndpoint>) {
  const { workspaces, troubled, takesMs = () => SILENT_MS, failing = false } = options;
  return Array.from({ length: count }, (_, index): CrowdEndpoint => {
    const ids = { endpointId: `e${index}`, workspaceId: `w${index % workspaces}` };
    const healthy = index % 100 >= troubled;
    return healthy
      ? { ...ids, healthy, failing: false, takesMs: () => HEALTHY_MS }
      : { ...ids, healthy, failing, takesMs };
  });
}

/** Every window has all its deliveries, and nearly all of them start at once. */
function expectUnharmed(windows: readonly CrowdWindow[], deliveries: number, p99WaitMs: number): void {
  for (const [index, window] of windows.entries()) {
    expect(window.deliveries, `window ${index}`).to.be.within(deliveries * 0.98, deliveries * 1.02);
    expect(window.p99WaitMs, `window ${index}`).to.be.at.most(p99WaitMs);
  }
}

describe('a crowd of 5,000 endpoints at 1,000 deliveries a second', () => {
  for (const workspaces of [1, 50]) {
    it(`delivers to the healthy ones when 2,000 of them fall silent, in ${workspaces} workspace(s)`, () => {
      const takesMs = (at: number) => (at < 5_000 ? HEALTHY_MS : SILENT_MS);
      const endpoints = crowd(5_000, { workspaces, troubled: 40, takesMs });
      const windows = runCrowd({ endpoints, rate: 1_000, seconds: 40 });
      expect(windows).to.have.length(8);
      expectUnharmed(windows, 3_000, 100);
    });

    it(`delivers to the healthy ones right after a restart, in ${workspaces} workspace(s)`, () => {
      const endpoints = crowd(5_000, { workspaces, troubled: 40, failing: true });
      expectUnharmed(runCrowd({ endpoints, rate: 1_000, seconds: 20 }), 3_000, 100);
    });
  }

  it('delivers to the healthy ones right after a restart, although no streak was stored', () => {
    const endpoints = crowd(5_000, { workspaces: 50, troubled: 40 });
    expectUnharmed(runCrowd({ endpoints, rate: 1_000, seconds: 20 }), 3_000, 500);
  });

  it('delivers to the healthy ones right after a restart, although all have a backlog and no streak was stored', () => {
    const endpoints = crowd(5_000, { workspaces: 5_000, troubled: 40 });
    const [first, ...later] = runCrowd({ endpoints, rate: 1_000, seconds: 20, backlog: 1 });
    expect(first?.p99WaitMs).to.be.at.most(1_500);
    expectUnharmed(later, 3_000, 100);
  });
});

describe('a workspace with 1,000 endpoints that answer after 9.9 s', () => {
  for (const failing of [false, true]) {
    it(`delays no other workspace, ${failing ? 'with' : 'without'} a stored streak`, () => {
      const hostile = Array.from({ length: 1_000 }, (_, index): CrowdEndpoint => {
        const ids = { endpointId: `h${index}`, workspaceId: 'hostile' };
        return { ...ids, healthy: false, failing, takesMs: () => 9_900 };
      });
      const others = crowd(1_000, { workspaces: 20, troubled: 0 });
      const windows = runCrowd({ endpoints: [...hostile, ...others], rate: 2_000, seconds: 40 });
      expectUnharmed(windows, 5_000, 100);
    });
  }

  it('delays no other workspace by answers just within a second', () => {
    const hostile = Array.from({ length: 1_000 }, (_, index): CrowdEndpoint => {
      const ids = { endpointId: `h${index}`, workspaceId: 'hostile' };
      return { ...ids, healthy: false, failing: false, takesMs: () => 950 };
    });
    const others = crowd(1_000, { workspaces: 20, troubled: 0 });
    const windows = runCrowd({ endpoints: [...hostile, ...others], rate: 4_000, seconds: 20 });
    expectUnharmed(windows, 10_000, 20);
  });

  it('delays no other workspace by answering at once from time to time', () => {
    const hostile = Array.from({ length: 1_000 }, (_, index): CrowdEndpoint => {
      const ids = { endpointId: `h${index}`, workspaceId: 'hostile' };
      return { ...ids, healthy: false, failing: false, takesMs: (at) => (at % 12_000 < 2_000 ? 5 : 9_900) };
    });
    const others = crowd(1_000, { workspaces: 20, troubled: 0 });
    const windows = runCrowd({ endpoints: [...hostile, ...others], rate: 2_000, seconds: 40 });
    expectUnharmed(windows, 5_000, 100);
  });
});

describe('workspaces whose endpoints fall silent while they get large payloads', () => {
  for (const [count, bytes] of [
    [1_000, 56_000],
    [4_000, 12_000],
  ] as const) {
    it(`delay others until their POSTs have timed out, and not later: ${count} with ${bytes} bytes each`, () => {
      const silent = Array.from({ length: count }, (_, index): CrowdEndpoint => {
        const ids = { endpointId: `s${index}`, workspaceId: `s${index}` };
        const takesMs = (at: number) => (at < 5_000 ? HEALTHY_MS : SILENT_MS);
        return { ...ids, healthy: false, failing: false, takesMs, bytes };
      });
      const others = crowd(10, { workspaces: 10, troubled: 0 }).map((one) => ({ ...one, bytes: 2_000 }));
      const endpoints = [...others, ...silent];
      const windows = runCrowd({ endpoints, rate: 2 * endpoints.length, seconds: 40 });
      expectUnharmed(windows.slice(4), 100, 100);
    });
  }
});

describe('workspaces with a backlog of large payloads for endpoints that answer', () => {
  // Regression: endpoints that were not proven yet waited until the backlog ended.
  it('delay neither endpoints that are new nor those that are slow', () => {
    const busy = Array.from({ length: 150 }, (_, index): CrowdEndpoint => {
      const ids = { endpointId: `b${index}`, workspaceId: `b${index}` };
      const takesMs = () => 300 + ((index * 53) % 400);
      return { ...ids, healthy: false, failing: false, takesMs, bytes: 250_000 };
    });
    const others = (count: number, takesMs: number) =>
      Array.from({ length: count }, (_, index): CrowdEndpoint => {
        const name = `${takesMs} ms ${index}`;
        const ids = { endpointId: name, workspaceId: name };
        return { ...ids, healthy: true, failing: false, takesMs: () => takesMs, from: 10_000, bytes: 2_000 };
      });
    const endpoints = [...busy, ...others(10, HEALTHY_MS), ...others(10, 2_000)];
    const windows = runCrowd({ endpoints, rate: endpoints.length / 5, seconds: 30, backlog: 100 });
    for (const window of windows.slice(2)) {
      expect(window.deliveries).to.be.within(19, 21);
      expect(window.longestWaitMs).to.be.at.most(1_000);
    }
  });
});
