import type { Guard } from '#dev/processes/guard';
import { type Member, takePlace } from './place.js';
import { type ServiceName, type ServiceProcess, startService } from './service.js';

export interface Start {
  /** What differs from the crew's environment. Asked for at every start, so that a replacement may differ. */
  readonly env?: () => Readonly<Record<string, string>>;
  /** Of Node. */
  readonly nodeArgs?: readonly string[];
}

/** The services as processes. */
export interface Crew {
  /** Resolves when the service serves. */
  start(name: ServiceName, start?: Start): Promise<Member>;
  /** The same without waiting until it serves. */
  begin(name: ServiceName, start?: Start): Promise<Member>;
  /** Those that have a place now. */
  of(name: ServiceName): readonly Member[];
  stopAll(name: ServiceName): Promise<void>;
  /** All are in their groups now: from here on joining one is a disruption. */
  settled(): void;
  /** Deaths, freezes, and every time that a dispatcher joined a group since: each may repeat POSTs. */
  disruptions(): number;
  /** Kills, freezes, and deaths by failpoints. */
  harm(): number;
  stop(): Promise<void>;
}

interface CrewParts {
  readonly env: Readonly<Record<string, string>>;
  readonly guard: Guard;
  /** Where each process has a log of its own. */
  readonly directory: string;
  readonly say: (line: string) => void;
}

export function crew({ env, guard, directory, say }: CrewParts): Crew {
  const places = new Set<Member>();
  const dispatchers: ServiceProcess[] = [];
  const counts = { launches: 0, harm: 0, disruptions: 0, joinsBefore: 0 };
  const joins = () => dispatchers.reduce((sum, process) => sum + process.logged('consumer.joined'), 0);
  const disrupted = (name: ServiceName) => {
    if (name === 'dispatcher') counts.disruptions += 1;
  };
  const launch = async (name: ServiceName, { env: own, nodeArgs = [] }: Start) => {
    counts.launches += 1;
    const logFile = `${directory}/${name}-${counts.launches}.log`;
    const process = await startService({ name, env: { ...env, ...own?.() }, logFile, nodeArgs }, guard);
    if (name === 'dispatcher') dispatchers.push(process);
    return process;
  };
  const begin = async (name: ServiceName, start: Start = {}) => {
    const member = await takePlace({
      name,
      launch: () => launch(name, start),
      died(end) {
        disrupted(name);
        if (end === 'SIGKILL') counts.harm += 1;
        else say(`${name} ended by itself (${end})`);
      },
      frozen() {
        disrupted(name);
        counts.harm += 1;
      },
      left: (left) => places.delete(left),
    });
    places.add(member);
    return member;
  };
  const of = (name: ServiceName) => [...places].filter((member) => member.name === name);
  return {
    begin,
    of,
    async start(name, start) {
      const member = await begin(name, start);
      await member.ready();
      return member;
    },
    async stopAll(name) {
      await Promise.all(of(name).map((member) => member.stop()));
    },
    settled() {
      counts.joinsBefore = joins();
    },
    disruptions: () => counts.disruptions + joins() - counts.joinsBefore,
    harm: () => counts.harm,
    async stop() {
      await Promise.all([...places].map((member) => member.stop()));
    },
  };
}
