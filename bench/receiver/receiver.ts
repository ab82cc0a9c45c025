import { type Answer as Reply, reply, startReceiver } from '@postrider/shared/testing/receiver';
import { machineNow } from '../measure/clock.js';
import type { Answer } from './answer.js';
import { arrivalLog } from './arrivals.js';
import { type Hook, parseHookPath } from './hook-path.js';

/** Receives webhooks, notes when each came and answers as its path says. */
export interface Receiver {
  /** Listens on a free port of each address. @returns the origins, in the order of the addresses */
  listen(addresses: readonly string[]): Promise<string[]>;
  /** POSTs so far, by group. */
  counts(): Readonly<Record<string, number>>;
  /** From now on every answer that would take a while comes at once. */
  hurry(): void;
  /** Writes the arrivals to a file. */
  save(file: string): void;
}

const OK = Buffer.from('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\nok');
const FAILURE = Buffer.from(
  'HTTP/1.1 500 Internal Server Error\r\ncontent-type: text/plain\r\ncontent-length: 6\r\n\r\nbroken',
);

export function receiver(): Receiver {
  const arrivals = arrivalLog();
  const counts: Record<string, number> = {};
  const hooks = new Map<string, Hook>();
  const failuresLeft = new Map<string, number>();
  let hurrying = false;

  const hookOf = (path: string): Hook => {
    const known = hooks.get(path);
    if (known !== undefined) return known;
    const hook = parseHookPath(path);
    hooks.set(path, hook);
    return hook;
  };
  const answerTo = (answer: Answer, id: string): Reply => {
    switch (answer.kind) {
      case 'never':
        return 'silence';
      case 'after':
        return { raw: OK, delayMs: hurrying ? 0 : answer.delayMs };
      case 'fail': {
        const left = failuresLeft.get(id) ?? answer.times;
        failuresLeft.set(id, left - 1);
        return { raw: left > 0 ? FAILURE : OK };
      }
    }
  };
  const listen = async (host: string) => {
    const { url } = await startReceiver(
      ({ path, head }, socket) => {
        const { group, answer } = hookOf(path);
        const id = /^webhook-id: *(\S+)/im.exec(head)?.[1] ?? '';
        arrivals.add(id, machineNow());
        counts[group] = (counts[group] ?? 0) + 1;
        reply(socket, answerTo(answer, id));
      },
      { host },
    );
    return url;
  };

  return {
    listen: (addresses) => Promise.all(addresses.map(listen)),
    counts: () => counts,
    hurry: () => {
      hurrying = true;
    },
    save: arrivals.save,
  };
}
