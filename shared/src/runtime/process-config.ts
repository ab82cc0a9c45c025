import { isProduction, str, withRule } from './config.js';
import { duration, failpointSpecs, port } from './variables.js';

/** Logging. */
export const LOGGING = {
  LOG_LEVEL: str({
    choices: ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
    default: 'info',
    desc: 'Minimum level that is logged',
  }),
  LOG_PRETTY: str({
    choices: ['auto', 'true', 'false'],
    default: 'auto',
    desc: 'Human-readable log lines instead of JSON; auto: in a terminal',
  }),
};

const starting = duration({ least: '0s', most: '1h' });

/** Waiting for dependencies at the start. */
export const START = {
  START_TIMEOUT: starting({
    default: 60_000,
    desc: 'How long a start waits for broker, database and registry in total',
  }),
};

/** Listening addresses. */
export const LISTENING = {
  HOST: str({ default: '0.0.0.0', desc: 'Address to listen on' }),
  METRICS_PORT: port({ default: 9_464, desc: 'Port of /metrics; 0 chooses a free one' }),
};

/** Liveness of processes that keep running. */
export const LIVENESS = {
  LIVENESS_PORT: port({
    default: undefined,
    desc: 'Port of a /healthz that a thread of its own serves, also while the process is overloaded; 0 chooses a free one; by default none',
  }),
};

export const HEALTH = {
  ...LIVENESS,
  HEALTH_PORT: port({ default: 8081, desc: 'Port of /healthz and /readyz' }),
};

/** Fault injection for tests. */
export const TESTING = {
  FAILPOINTS: withRule(
    failpointSpecs({
      default: [],
      desc: 'Steps before which the process kills itself, and tasks that are off (tests only; refused in production)',
    }),
    ({ FAILPOINTS }, env) =>
      isProduction(env) && Array.isArray(FAILPOINTS) && FAILPOINTS.length > 0
        ? 'is refused in production'
        : null,
  ),
};
