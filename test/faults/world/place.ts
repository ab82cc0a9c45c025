import { setTimeout as wait } from 'node:timers/promises';
import { describeExit } from '#dev/processes/start-process';
import type { ServiceName } from '#dev/processes/start-service';
import type { MemberProcess } from './service.js';

/** A place in the processes: whoever dies in it without being asked to is replaced, as an orchestrator would. */
export interface Member {
  readonly name: ServiceName;
  /** Of the process that holds the place now. */
  port(): number;
  pid(): number;
  /** One that is dead already is waited for until it is replaced. */
  kill(): Promise<void>;
  freeze(): void;
  thaw(): void;
  /** Ends it as an operator would, and gives up the place. @returns how it ended */
  stop(): Promise<string>;
  /** Times that somebody in this place ended without having been asked to. */
  deaths(): number;
  /** How they ended, in their order. */
  ends(): readonly End[];
  /** When whoever holds the place now got the oldest of its partitions, in milliseconds; null while it has none. */
  partitionsSince(): number | null;
  /** Resolves when whoever holds the place now serves. */
  ready(): Promise<void>;
}

/** The end of a process. */
export interface End {
  /** Such as `SIGKILL` or `exit code 1`. */
  readonly how: string;
  /** What it said last. */
  readonly lastLine: string;
}

interface PlaceParts {
  readonly name: ServiceName;
  readonly launch: () => Promise<MemberProcess>;
  readonly died: (end: End) => void;
  readonly frozen: () => void;
  readonly left: (member: Member) => void;
}

/** How whoever is killed ends, from outside or at a failpoint. */
export const KILLED = 'SIGKILL';
const REPLACED_AFTER_MS = 200;
const STOP_PATIENCE_MS = 25_000;

export async function takePlace({ name, launch, died, frozen, left }: PlaceParts): Promise<Member> {
  let current = await launch();
  let living = Promise.resolve(current);
  let leaving = false;
  let port = 0;
  const ends: End[] = [];
  const replace = async () => {
    await wait(REPLACED_AFTER_MS);
    return leaving ? current : launch();
  };
  const keep = async () => {
    while (!leaving) {
      const end = { how: describeExit(await current.exited), lastLine: current.lastLine() };
      if (leaving) return;
      ends.push(end);
      died(end);
      living = replace();
      current = await living;
    }
  };
  void keep();
  const member: Member = {
    name,
    ready: () => current.ready,
    port() {
      port = current.port || port;
      return port;
    },
    pid: () => current.pid,
    async kill() {
      const victim = await living;
      victim.signal('SIGKILL');
      await victim.exited;
    },
    freeze() {
      frozen();
      current.signal('SIGSTOP');
    },
    thaw: () => current.signal('SIGCONT'),
    async stop() {
      leaving = true;
      left(member);
      return describeExit(await (await living).stop(STOP_PATIENCE_MS));
    },
    deaths: () => ends.length,
    ends: () => ends,
    partitionsSince: () => current.partitionsSince(),
  };
  return member;
}
