import { join } from 'node:path';
import { tellSecret } from '../demo/print-secret.js';
import { chooseFreePorts } from '../processes/free-ports.js';
import type { Guard } from '../processes/guard.js';
import { poll } from '../processes/poll.js';
import { type Supervised, supervise } from '../processes/supervise.js';
import { followOutput } from './follow-output.js';
import { PLACES, ROOT } from './places.js';

export interface Receiver {
  readonly url: string;
  readonly process: Supervised;
  /** From now on, also after a restart, signatures by this secret count. */
  learn(secret: string): Promise<void>;
}

export interface ReceiverStart {
  readonly guard: Guard;
  readonly report: (line: string) => void;
  readonly onRestart: () => void;
}

const STOP_GRACE_MS = 1_000;
const READY_WITHIN_MS = 20_000;

/** Starts the demo's receiver on a free port. What it says about webhooks goes to the terminal. */
export async function startReceiver({ guard, report, onRestart }: ReceiverStart): Promise<Receiver> {
  const [port = 0] = await chooseFreePorts([undefined]);
  const url = `http://127.0.0.1:${port}`;
  const output = followOutput(join(PLACES.logs, 'receiver.log'), (line) => {
    if (!line.startsWith('listening')) report(`[receiver] ${line}`);
  });
  const args = [join(ROOT, 'dev/dist/receiver/main.js'), '--port', String(port)];
  const known = { secret: '' };
  const environment = (): NodeJS.ProcessEnv => ({ ...process.env, RECEIVER_SECRETS: known.secret });
  const supervision = {
    name: 'receiver',
    spec: () => ({ command: process.execPath, args, env: environment(), cwd: ROOT, output }),
    untilReady: (signal: AbortSignal) => untilHealthy(url, signal),
    report,
    onRestart,
    stopGraceMs: STOP_GRACE_MS,
  };
  const learn = async (secret: string): Promise<void> => {
    known.secret = secret;
    await tellSecret(url, secret);
  };
  return { url, process: await supervise(supervision, guard), learn };
}

async function untilHealthy(url: string, signal: AbortSignal): Promise<void> {
  const ask = async (): Promise<true | undefined> => ((await fetch(`${url}/healthz`)).ok ? true : undefined);
  await poll(ask, { everyMs: 30, timeoutMs: READY_WITHIN_MS, what: 'the start of the receiver', signal });
}
