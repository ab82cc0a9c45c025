import type { LogLine, ServiceName } from '#dev/processes/start-service';
import type { Disruption } from '../oracle/evidence.js';
import { disruptions } from './disruptions.js';
import { type End, KILLED, type Member, takePlace } from './place.js';
import { startMember } from './service.js';

export interface Start {
  /** What differs from the processes's environment. Asked for at every start, so that a replacement may differ. */
  readonly env?: () => Readonly<Record<string, string>>;
  /** Of Node. */
  readonly nodeArgs?: readonly string[];
}

export interface SelfMadeEnd extends End {
  readonly name: ServiceName;
}

/** The services as processes. */
export interface Processes {
  /** Resolves when the service serves. */
  start(name: ServiceName, start?: Start): Promise<Member>;
  /** The same without waiting until it serves. */
  begin(name: ServiceName, start?: Start): Promise<Member>;
  /** Those that have a place now. */
  of(name: ServiceName): readonly Member[];
  stopAll(name: ServiceName): Promise<void>;
  /** All are in their groups now: from here on moves of partitions are disruptions. */
  settled(): void;
  /** What may have repeated POSTs since. */
  disruptions(): readonly Disruption[];
  /** Kills, freezes, and deaths by failpoints. */
  harm(): number;
  /** Those that ended although nobody had asked them to or killed them. */
  endedByThemselves(): readonly SelfMadeEnd[];
  stop(): Promise<void>;
}

interface ProcessesParts {
  readonly env: Readonly<Record<string, string>>;
  /** Where each process has a log of its own. */
  readonly directory: string;
  readonly say: (line: string) => void;
}

export function processes({ env, directory, say }: ProcessesParts): Processes {
  const places = new Set<Member>();
  const surprises: SelfMadeEnd[] = [];
  const counts = { launches: 0, harm: 0 };
  const noted = disruptions(Date.now);
  const launch = async (name: ServiceName, { env: own, nodeArgs = [] }: Start) => {
    counts.launches += 1;
    const logFile = `${directory}/${name}-${counts.launches}.log`;
    const life = {};
    const heard = ({ event, groupId, assignment = {} }: LogLine) => {
      if (event === 'consumer.joined' && groupId?.endsWith('.dispatcher')) noted.joined(life, assignment);
    };
    const process = await startMember({ name, env: { ...env, ...own?.() }, logFile, nodeArgs, heard });
    if (name === 'dispatcher') void process.exited.then(() => noted.died(life));
    return process;
  };
  const begin = async (name: ServiceName, start: Start = {}) => {
    const member = await takePlace({
      name,
      launch: () => launch(name, start),
      died(end) {
        if (end.how === KILLED) {
          counts.harm += 1;
          return;
        }
        say(`${name} ended by itself (${end.how})`);
        surprises.push({ ...end, name });
      },
      frozen() {
        if (name === 'dispatcher') noted.moved();
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
    settled: noted.begin,
    disruptions: noted.list,
    harm: () => counts.harm,
    endedByThemselves: () => surprises,
    async stop() {
      await Promise.all([...places].map((member) => member.stop()));
    },
  };
}
