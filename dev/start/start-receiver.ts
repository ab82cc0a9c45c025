import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { sendSecret } from '../demo/deliver-once.js';
import { chooseFreePorts } from '../processes/free-ports.js';
import { poll } from '../processes/poll.js';
import { startProcess } from '../processes/start-process.js';
import { type Supervised, supervise } from '../processes/supervise.js';
import { PLACES, ROOT } from './places.js';

export interface Receiver {
  readonly url: string;
  readonly process: Supervised;
  /** Verifies signatures with this secret from now on, also after a restart. */
  setSecret(secret: string): Promise<void>;
}

export interface ReceiverStart {
  readonly report: (line: string) => void;
  readonly onRestart: () => void;
}

const STOP_GRACE_MS = 1_000;
const READY_WITHIN_MS = 20_000;

/** Starts the demo's receiver on a free port. It reports each webhook in one line. */
export async function startReceiver({ report, onRestart }: ReceiverStart): Promise<Receiver> {
  const [port = 0] = await chooseFreePorts([undefined]);
  const url = `http://127.0.0.1:${port}`;
  const logFile = join(PLACES.logs, 'receiver.log');
  rmSync(logFile, { force: true });
  let current = '';
  const start = () =>
    startProcess({
      name: 'receiver',
      command: process.execPath,
      args: [join(ROOT, 'dev/dist/receiver/main.js'), '--port', String(port)],
      env: { ...process.env, RECEIVER_SECRETS: current },
      logFile,
      onLine: (line) => void (line.startsWith('listening') || report(`[receiver] ${line}`)),
      untilReady: (signal) => untilHealthy(url, signal),
    });
  const setSecret = async (secret: string): Promise<void> => {
    current = secret;
    await sendSecret(url, secret);
  };
  const supervised = supervise({ name: 'receiver', start, report, onRestart, stopGraceMs: STOP_GRACE_MS });
  return { url, process: await supervised, setSecret };
}

async function untilHealthy(url: string, signal: AbortSignal): Promise<void> {
  const probe = async (): Promise<true | undefined> =>
    (await fetch(`${url}/healthz`)).ok ? true : undefined;
  await poll(probe, { everyMs: 30, timeoutMs: READY_WITHIN_MS, what: 'the start of the receiver', signal });
}
