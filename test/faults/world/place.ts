import { setTimeout as wait } from 'node:timers/promises';
import type { ServiceName, ServiceProcess } from './service.js';

/** A place in the crew: whoever dies in it without being asked to is replaced, as an orchestrator would. */
export interface Member {
  readonly name: ServiceName;
  /** Of the process that holds the place now. */
  port(): number;
  pid(): number;
  kill(): Promise<void>;
  freeze(): void;
  thaw(): void;
  /** Ends it as an operator would, and gives up the place. @returns how it ended */
  stop(): Promise<string>;
  /** Times that somebody in this place ended without having been asked to. */
  deaths(): number;
  /** Resolves when whoever holds the place now serves. */
  ready(): Promise<number>;
}

interface PlaceParts {
  readonly name: ServiceName;
  readonly launch: () => Promise<ServiceProcess>;
  /** @param end how it ended, such as `SIGKILL` */
  readonly died: (end: string) => void;
  readonly frozen: () => void;
  readonly left: (member: Member) => void;
}

const REPLACED_AFTER_MS = 200;
const STOP_PATIENCE_MS = 25_000;

export async function takePlace({ name, launch, died, frozen, left }: PlaceParts): Promise<Member> {
  let current = await launch();
  let port = 0;
  let leaving = false;
  let deaths = 0;
  const notePort = (found: number) => {
    port = found;
  };
  const keep = async () => {
    while (!leaving) {
      current.ready.then(notePort, () => {});
      const end = await current.ended;
      if (leaving) return;
      deaths += 1;
      died(end);
      await wait(REPLACED_AFTER_MS);
      if (!leaving) current = await launch();
    }
  };
  void keep();
  const member: Member = {
    name,
    ready: () => current.ready,
    port: () => port,
    pid: () => current.pid,
    async kill() {
      const victim = current;
      victim.signal('SIGKILL');
      await victim.ended;
    },
    freeze() {
      frozen();
      current.signal('SIGSTOP');
    },
    thaw: () => current.signal('SIGCONT'),
    stop() {
      leaving = true;
      left(member);
      return end(current);
    },
    deaths: () => deaths,
  };
  return member;
}

async function end(process: ServiceProcess): Promise<string> {
  process.signal('SIGCONT');
  process.signal('SIGTERM');
  const tooLong = setTimeout(() => process.signal('SIGKILL'), STOP_PATIENCE_MS);
  const end = await process.ended;
  clearTimeout(tooLong);
  return end;
}
