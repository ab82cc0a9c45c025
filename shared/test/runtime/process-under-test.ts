import { once } from 'node:events';
import { abandonOn } from '../../src/runtime/abandon-on.js';
import { readConfig, str } from '../../src/runtime/config.js';
import { type OwnProcess, runJob, runService, type Service } from '../../src/runtime/lifecycle.js';
import type { Logger } from '../../src/runtime/log.js';
import { NotReachable } from '../../src/runtime/retry-until.js';
import { sleep } from '../../src/runtime/sleep.js';

// The processes of the lifecycle tests, selected by CASE.

const DECLARATION = {
  LOG_LEVEL: str({ default: 'info' }),
  LOG_PRETTY: str({ choices: ['auto', 'true', 'false'], default: 'auto' }),
  NEEDED: str({ desc: 'Something that has no default' }),
};
const read = (env: NodeJS.ProcessEnv) => readConfig(env, DECLARATION);
const forever = () => setInterval(() => undefined, 60_000);
const never = () => new Promise<never>(() => undefined);

/** How long a stop may take: longer than a start here. */
const STOP_LIMIT_MS = 500;
const aborted = (signal: AbortSignal) => once(signal, 'abort').then(() => sleep(STOP_LIMIT_MS / 10));

/** Services by their behaviour. Running ones keep an interval, as real ones keep sockets. */
const SERVICES = {
  async runs() {
    forever();
    return { stop: async () => undefined };
  },
  async cannotReach() {
    throw new NotReachable('MongoDB: gave up after 60 s: connection refused');
  },
  async cannotStart() {
    throw new TypeError('not a function');
  },
  async cannotStop() {
    forever();
    return { stop: () => Promise.reject(new Error('the database is gone')) };
  },
  async neverStarts() {
    forever();
    return never();
  },
  async waitsForServers(_log, { stopping }) {
    forever();
    return abandonOn(stopping, never());
  },
  async startsAfterSignal(log, { stopping }) {
    forever();
    await aborted(stopping);
    return { stop: async () => log.info({ event: 'left' }, 'left its group') };
  },
  async cannotStartAfterSignal(_log, { stopping }) {
    forever();
    await aborted(stopping);
    throw new Error('the port is in use');
  },
  async throwsLater() {
    setImmediate(() => {
      throw new Error('an unexpected exception');
    });
    return { stop: async () => undefined };
  },
  async rejectsLater() {
    setImmediate(() => void Promise.reject(new Error('an unexpected rejection')));
    return { stop: async () => undefined };
  },
} as const satisfies Record<string, (log: Logger, process: OwnProcess) => Promise<Service>>;

const JOBS = {
  jobSucceeds: async () => true,
  jobFails: async () => false,
  jobLeavesSomethingOpen: async () => forever().hasRef(),
  jobCannotReach: () => Promise.reject(new NotReachable('Kafka: gave up after 60 s: connection refused')),
  jobBreaks: () => Promise.reject(new TypeError('not a function')),
} as const;

export type Case = keyof typeof SERVICES | keyof typeof JOBS | 'givesUp' | 'logsSecrets';

const SECRET = 'hunter2';
const SECRET_FIELDS = ['authorization', 'token', 'secret', 'password', 'acceptToken', 'idempotencyKey'];

async function play(what: Case): Promise<void> {
  switch (what) {
    case 'jobSucceeds':
    case 'jobFails':
    case 'jobLeavesSomethingOpen':
    case 'jobCannotReach':
    case 'jobBreaks':
      return runJob({ name: 'under-test', readConfig: read, run: JOBS[what] });
    case 'givesUp':
      return runService({
        name: 'under-test',
        readConfig: read,
        start: async (_config, log, { fail }) => {
          log.info({ event: 'ready' }, 'running');
          fail('a consumer stopped permanently', new Error('the group is gone'));
          return { stop: async () => undefined };
        },
      });
    case 'logsSecrets':
      return runJob({
        name: 'under-test',
        readConfig: read,
        async run(_config, log) {
          const secrets = Object.fromEntries(SECRET_FIELDS.map((field) => [field, SECRET]));
          log.info({ ...secrets, user: 'ada' }, 'at the top');
          log.info({ request: { ...secrets, user: 'ada' } }, 'one level down');
          log.info({ request: { headers: { ...secrets, user: 'ada' } } }, 'two levels down');
          return true;
        },
      });
    default:
      return runService({
        name: 'under-test',
        readConfig: read,
        stopLimitMs: () => STOP_LIMIT_MS,
        start: async (_config, log, ownProcess) => {
          const service = SERVICES[what](log, ownProcess);
          log.info({ event: 'ready' }, 'running');
          return service;
        },
      });
  }
}

await play(process.env.CASE as Case);
