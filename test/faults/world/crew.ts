import { setTimeout as wait } from 'node:timers/promises';
import type { Guard } from '#dev/processes/guard';
import { type ServiceName, type ServiceProcess, startService } from './service.js';

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
  /** Deaths that nobody asked for or that `kill` brought. */
  deaths(): number;
}

export interface Start {
  /** What differs from the crew's environment. Asked for at every start, so that a replacement may differ. */
  readonly env?: () => Readonly<Record<string, string>>;
  readonly nodeArgs?: readonly string[];
}

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
  /** Deaths, freezes, and every time that a dispatcher joined its group since: each may repeat POSTs. */
  disruptions(): number;
  /** Signals sent, and deaths by failpoints. */
  harm(): number;
  stop(): Promise<void>;
}

interface CrewParts {
  readonly env: () => Readonly<Record<string, string>>;
  readonly guard: Guard;
  readonly directory: string;
  readonly say: (line: string) => void;
}

const REPLACED_AFTER_MS = 200;
const STOP_PATIENCE_MS = 25_000;

export function crew({ env, guard, directory, say }: CrewParts): Crew {
  const places = new Set<Member>();
  const started: { readonly name: ServiceName; readonly process: ServiceProcess }[] = [];
  let launches = 0;
  let harm = 0;
  let freezes = 0;
  let deaths = 0;

  let joinsBefore = 0;
  const joins = () =>
    started
      .filter(({ name }) => name === 'dispatcher')
      .reduce((sum, { process }) => sum + process.logged('consumer.joined'), 0);

  const launch = async (name: ServiceName, { env: own, nodeArgs }: Start) => {
    launches += 1;
    const process = await startService(
      {
        name,
        env: { ...env(), ...own?.() },
        logFile: `${directory}/${name}-${launches}.log`,
        ...(nodeArgs && { nodeArgs }),
      },
      guard,
    );
    started.push({ name, process });
    return process;
  };
  const begin = async (name: ServiceName, start: Start = {}): Promise<Place> => {
    let current = await launch(name, start);
    let port = 0;
    let leaving = false;
    let died = 0;
    const noticePort = () => {
      current.ready.then(
        (found) => {
          port = found;
        },
        () => {},
      );
    };
    const keep = async () => {
      for (;;) {
        noticePort();
        const end = await current.ended;
        if (leaving) return;
        died += 1;
        deaths += name === 'dispatcher' ? 1 : 0;
        if (end !== 'SIGKILL') say(`${name} ended by itself (${end})`);
        else harm += 1;
        await wait(REPLACED_AFTER_MS);
        if (leaving) return;
        current = await launch(name, start);
      }
    };
    void keep();
    const place: Place = {
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
        harm += 1;
        freezes += name === 'dispatcher' ? 1 : 0;
        current.signal('SIGSTOP');
      },
      thaw: () => current.signal('SIGCONT'),
      async stop() {
        leaving = true;
        places.delete(place);
        current.signal('SIGCONT');
        current.signal('SIGTERM');
        const tooLong = setTimeout(() => current.signal('SIGKILL'), STOP_PATIENCE_MS);
        const end = await current.ended;
        clearTimeout(tooLong);
        return end;
      },
      deaths: () => died,
    };
    places.add(place);
    return place;
  };

  return {
    begin,
    async start(name, start) {
      const place = await begin(name, start);
      await place.ready();
      return place;
    },
    of: (name) => [...places].filter((place) => place.name === name),
    async stopAll(name) {
      await Promise.all([...places].filter((place) => place.name === name).map((place) => place.stop()));
    },
    settled() {
      joinsBefore = joins();
    },
    disruptions: () => deaths + freezes + joins() - joinsBefore,
    harm: () => harm,
    async stop() {
      await Promise.all([...places].map((place) => place.stop()));
    },
  };
}

interface Place extends Member {
  ready(): Promise<number>;
}
