import { readConfig, str } from '../../src/runtime/config.js';
import { runJob, runService } from '../../src/runtime/lifecycle.js';
import { NotReachable } from '../../src/runtime/retry-until.js';

// The processes of the lifecycle tests, selected by CASE.

const DECLARATION = {
  LOG_LEVEL: str({ default: 'info' }),
  LOG_PRETTY: str({ choices: ['auto', 'true', 'false'], default: 'auto' }),
  NEEDED: str({ desc: 'Something that has no default' }),
};
const read = (env: NodeJS.ProcessEnv) => readConfig(env, DECLARATION);
const forever = () => setInterval(() => undefined, 60_000);

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
    return new Promise<never>(() => undefined);
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
} as const;

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
        start: async (_config, log, fail) => {
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
        start: async (_config, log) => {
          const service = SERVICES[what]();
          log.info({ event: 'ready' }, 'running');
          return service;
        },
      });
  }
}

await play(process.env.CASE as Case);
