import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startTestReceiver, type TestReceiver } from '@postrider/shared/testing/receiver';
import { type TestWorld, testWorld } from '@postrider/shared/testing/test-world';
import { expect } from 'chai';
import { runService, type ServiceProcess, stopServices } from './system.js';

const run = promisify(execFile);
const ENTRY_POINT = fileURLToPath(new URL('../../deploy/image/postrider.mjs', import.meta.url));

describe('the self-test of an installation', () => {
  let world: TestWorld;
  let receiver: TestReceiver;
  let services: ServiceProcess[];
  before(async () => {
    [world, receiver] = await Promise.all([testWorld(), startTestReceiver()]);
    services = await Promise.all([runService('api', world.env), runService('dispatcher', world.env)]);
  });
  after(async () => {
    await stopServices(services ?? []);
    await receiver?.close();
    await world?.destroy();
  });

  /** Through the entry point of the image. */
  const selfTest = async (...args: string[]) => {
    const apiUrl = `http://127.0.0.1:${services[0]?.port}`;
    const command = [ENTRY_POINT, 'admin', 'self-test', '--api-url', apiUrl, ...args];
    const env = { ...process.env, ...world.env };
    return run(process.execPath, command, { env }).then(
      ({ stdout }) => stdout,
      ({ code, stderr }: { code: number; stderr: string }) => `${code} ${stderr}`,
    );
  };

  // Regression: with a slash at the end of the address it failed with 404.
  it('needs no receiver: a recorded attempt is enough', async () => {
    const apiUrl = `http://127.0.0.1:${services[0]?.port}/`;
    expect(await selfTest('--api-url', apiUrl)).to.match(
      /^The test event whd_\w+ was attempted: failed \(dns\)\.\n$/,
    );
  });

  it('sends to a given receiver and removes its endpoint afterwards', async () => {
    expect(await selfTest('--url', `${receiver.url}/hook`)).to.match(/was attempted: delivered \(HTTP 200\)/);
    const left = await world.database.collections.endpoints.countDocuments({ deletedAt: null });
    expect(left).to.equal(0);
  });

  it('fails with the reason when no api answers', async () => {
    expect(await selfTest('--api-url', 'http://127.0.0.1:1')).to.match(
      /^2 error: --api-url .* does not respond/,
    );
  });

  it('waits for an api no longer than the given time', async () => {
    // No server listens there. (fetch never connects to port 1, above.)
    const gone = await startTestReceiver();
    await gone.close();
    expect(await selfTest('--api-url', gone.url, '--within', '1s')).to.match(
      /^2 error: --api-url .* does not respond: .*ECONNREFUSED/,
    );
  });

  it('prints its usage for an unknown command', async () => {
    const asked = run(process.execPath, [ENTRY_POINT, 'mail']).catch(
      (error: { code: number; stderr: string }) => error,
    );
    const { code, stderr } = (await asked) as { code: number; stderr: string };
    expect([code, stderr]).to.deep.equal([
      2,
      'postrider: there is no "mail"\nusage: postrider <api | dispatcher | dlq-consumer | janitor | all | admin | cli> [argument …]\n',
    ]);
  });
});
