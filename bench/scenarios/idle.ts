import { readProportionalBytes } from '#dev/processes/proc-files';
import type { ServiceName } from '#dev/processes/start-service';
import { healthy } from '../environment/population.js';
import { type Measurement, measureDeliveries } from '../environment/run-measurement.js';
import type { Consumption } from '../processes/meter.js';
import type { Figure, Goal, Part } from '../report/row.js';
import { type Context, type Scenario, secondsOf } from '../scenario.js';
import { observe } from './load.js';

const ENDPOINTS = 100;
/** A few deliveries first: everything is connected and loaded afterwards. */
const FIRST_EVENTS = 2_000;
const SETTLE_SECONDS = 30;
const SECONDS = 60;
const NO_EVENTS = { first: 0, events: 0, lagP99Ms: null };
const SERVERS = ['kafka', 'mongod', 'registry'];

export const idle: Scenario = {
  name: 'idle',
  about: `What the processes use after ${FIRST_EVENTS} deliveries to ${ENDPOINTS} endpoints, while nothing happens.`,
  run: (context) =>
    measureDeliveries(context, [
      idleMeasurement(context),
      idleMeasurement(context, { label: 'postrider all', processes: ['all'], memory: { atMost: 220 } }),
    ]),
};

interface Idle {
  readonly label: string;
  readonly processes: readonly ServiceName[];
  readonly memory: Goal;
}

const SEPARATE: Idle = {
  label: 'api, dispatcher and dlq-consumer',
  processes: ['dispatcher', 'api', 'dlq-consumer'],
  memory: { atMost: 350 },
};

export function idleMeasurement(context: Context, idle = SEPARATE): Measurement {
  const { label } = idle;
  const seconds = secondsOf(context, SECONDS);
  return {
    label,
    groups: [healthy('quick', ENDPOINTS)],
    dispatchers: 0,
    async run(environment) {
      for (const name of idle.processes) await environment.start(name);
      await environment.publish({ kind: 'flat-out', events: FIRST_EVENTS });
      await environment.drained();
      await environment.sleep(secondsOf(context, SETTLE_SECONDS) * 1_000);
      const { processes } = await observe(environment, async () => {
        await environment.sleep(seconds * 1_000);
        return NO_EVENTS;
      });
      const memory = memoryOf([...environment.services, ...context.serverProcesses]);
      const own = processes.filter(({ name }) =>
        environment.services.some((service) => service.name === name),
      );
      const shown = processes.filter(
        ({ name }) => own.some((one) => one.name === name) || SERVERS.includes(name),
      );
      const figures = usedBy(own, memory, seconds, { cpu: { atMost: 1.5 }, memory: idle.memory });
      const parts = shown.map((one): Part => ({ label: one.name, figures: usedBy([one], memory, seconds) }));
      return { deliveries: 0, processes: [], figures: () => figures, parts: () => parts };
    },
  };
}

type Memory = ReadonlyMap<string, number | null>;

function memoryOf(processes: readonly { readonly name: string; readonly pid: number }[]): Memory {
  return new Map(processes.map(({ name, pid }) => [name, readProportionalBytes(pid)]));
}

/** The total usage of some processes. */
function usedBy(
  processes: readonly Consumption[],
  memory: Memory,
  seconds: number,
  goals: { readonly cpu?: Goal; readonly memory?: Goal } = {},
): Figure[] {
  const cpuSeconds = sum(processes.map((one) => one.cpuSeconds));
  const bytes = sum(processes.map(({ name }) => memory.get(name) ?? null));
  return [
    { name: 'CPU', unit: '% of a core', value: cpuSeconds && (cpuSeconds * 100) / seconds, goal: goals.cpu },
    { name: 'PSS', unit: 'MB', value: bytes && bytes / 1e6, goal: goals.memory },
  ];
}

/** Null if one of them is unknown. */
function sum(values: readonly (number | null)[]): number | null {
  return values.reduce((all, one) => (all === null || one === null ? null : all + one), 0);
}
