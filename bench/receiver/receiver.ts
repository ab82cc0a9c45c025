import { type Answer, reply, startReceiver } from '@postrider/shared/testing/receiver';
import { machineNow } from '../measure/clock.js';
import { serveParent } from '../processes/remote.js';
import { createArrivalLog } from './arrivals.js';
import { CERTIFICATE } from './certificate.js';
import { type Behavior, type Hook, parseHookPath } from './hook-path.js';

const OK = Buffer.from('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\nok');
const FAILURE = Buffer.from(
  'HTTP/1.1 500 Internal Server Error\r\ncontent-type: text/plain\r\ncontent-length: 6\r\n\r\nbroken',
);

export type BenchReceiver = ReturnType<typeof createReceiver>;

/**
 * Receives webhooks, records when each arrives and answers as its path specifies.
 *
 * @param counts is updated with the POSTs so far, by group
 */
function createReceiver(counts: Record<string, number>) {
  const arrivals = createArrivalLog();
  const hooks = new Map<string, Hook>();
  const failuresOf = new Map<string, number>();
  /** Behavior that overrides the paths, by group. */
  const changed = new Map<string, Behavior>();

  const hookOf = (path: string): Hook => {
    const hook = hooks.get(path) ?? parseHookPath(path);
    hooks.set(path, hook);
    return hook;
  };
  const answerTo = (id: string, { silent = false, failures = 0, delayMs = 0 }: Behavior): Answer => {
    if (silent) return 'silence';
    if (failures > 0) {
      const earlier = failuresOf.get(id) ?? 0;
      failuresOf.set(id, earlier + 1);
      if (earlier < failures) return { raw: FAILURE };
    }
    return { raw: OK, delayMs };
  };
  const listen = async (host: string, tls?: typeof CERTIFICATE) => {
    const { url } = await startReceiver(
      ({ path, head }, socket) => {
        const { group, behavior } = hookOf(path);
        const id = /^webhook-id: *(\S+)/im.exec(head)?.[1] ?? '';
        arrivals.add(id, machineNow());
        counts[group] = (counts[group] ?? 0) + 1;
        reply(socket, answerTo(id, changed.get(group) ?? behavior));
      },
      { host, ...(tls && { tls }) },
    );
    return url;
  };
  return {
    /** Listens on a free port of each address. @returns the origins in the order of the addresses */
    listen: (addresses: readonly string[]): Promise<string[]> =>
      Promise.all(addresses.map((one) => listen(one))),
    /** Listens on a free port of an address for requests with TLS. @returns the port */
    listenWithTls: async (address: string): Promise<string> =>
      new URL(await listen(address, CERTIFICATE)).port,
    /** Replaces the behavior of a group from now on. */
    change(group: string, behavior: Behavior): void {
      changed.set(group, behavior);
    },
    arrivals: arrivals.bytes,
  };
}

/** The functions of the parent process. */
export interface ReceiverEvents {
  /** Receives the POSTs so far, by group. */
  counts(counts: Readonly<Record<string, number>>): void;
}

const REPORT_EVERY_MS = 20;

const counts: Record<string, number> = {};
const parent = serveParent<ReceiverEvents>(createReceiver(counts));
let reported = '';
setInterval(() => {
  const current = JSON.stringify(counts);
  if (current !== reported) void parent.counts.asEvent(counts);
  reported = current;
}, REPORT_EVERY_MS);
