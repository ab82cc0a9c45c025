import { PLATFORM } from '@postrider/shared/runtime/common-config';
import {
  duration,
  isProduction,
  parseDuration,
  readConfig as read,
  withRule,
} from '@postrider/shared/runtime/config';

const retention = duration({ least: '1s', most: '36500d' });
/** In production a shorter retention would remove today's deliveries. */
const LEAST_RETENTION = '1d';
const budget = duration({ least: '1s', most: '1d' });

export const DECLARATION = {
  ...PLATFORM,
  RETENTION: withRule(
    retention({
      default: 30 * 24 * 60 * 60 * 1_000,
      desc: 'How long deliveries and their attempts are kept',
    }),
    ({ RETENTION }, env) =>
      isProduction(env) && Number(RETENTION) < parseDuration(LEAST_RETENTION)
        ? `"${env.RETENTION}" is shorter than ${LEAST_RETENTION}`
        : null,
  ),
  TIME_BUDGET: budget({ default: 10 * 60 * 1_000, desc: 'Time limit of the cleanup in one run' }),
};

export type Config = ReturnType<typeof readConfig>;

/** @throws ConfigurationError that lists every problem with the variable's name */
export const readConfig = (env: NodeJS.ProcessEnv) => read(env, DECLARATION);
