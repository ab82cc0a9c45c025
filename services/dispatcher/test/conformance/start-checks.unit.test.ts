import type { ConformanceCheck } from '@postrider/shared/domain/conformance-check';
import { createLog } from '@postrider/shared/runtime/log';
import { expect } from 'chai';
import { startChecks } from '../../src/conformance/start-checks.js';

const CHECK = { id: 'chk_1', workspaceId: 'ws_1', endpointId: 'whe_1' } as unknown as ConformanceCheck;

describe('the conformance checks of a process that stops', () => {
  // Regression: a check that was claimed meanwhile was started, and its lease was kept until it expired.
  it('gives back the lease that it was just claiming, and starts no check', async () => {
    let claim = (_check: ConformanceCheck | null) => {};
    const released: ConformanceCheck[] = [];
    const started: ConformanceCheck[] = [];
    const checks = startChecks({
      store: {
        claim: () =>
          new Promise((resolve) => {
            claim = resolve;
          }),
        async release(check) {
          released.push(check);
        },
      },
      async run(check) {
        started.push(check);
        return null;
      },
      pollEveryMs: 10,
      sleep: () => new Promise(() => {}),
      log: createLog({ service: 'test', level: 'silent', pretty: false }),
    });
    const stopped = checks.stop(5_000);
    claim(CHECK);
    await stopped;
    expect({ released, started }).to.deep.equal({ released: [CHECK], started: [] });
  });
});
