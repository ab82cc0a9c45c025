import { PLATFORM } from '@postrider/shared/platform/platform-config';
import { isProduction, readConfig as read, withRule } from '@postrider/shared/runtime/config';
import { duration, parseDuration, wholeNumber } from '@postrider/shared/runtime/variables';

const retention = duration({ least: '1s', most: '36500d' });
const budget = duration({ least: '1s', most: '1d' });

export const DECLARATION = {
  ...PLATFORM,
  RETENTION: withRule(
    retention({ default: parseDuration('30d'), desc: 'How long deliveries and their attempts are kept' }),
    // In production a shorter retention would remove today's deliveries.
    ({ RETENTION }, env) =>
      isProduction(env) && Number(RETENTION) < parseDuration('1d')
        ? `"${env.RETENTION}" is shorter than 1d`
        : null,
  ),
  TIME_BUDGET: budget({
    default: parseDuration('10m'),
    desc: 'Time limit of the cleanup, of the digest and of the recount, each in one run; the next run continues',
  }),
  CLEANUP_WORKERS: wholeNumber(1)({
    default: 2,
    desc: 'Passes of the cleanup that run at the same time, of deliveries and of events each',
  }),
};

export type Config = ReturnType<typeof readConfig>;

/** @throws ConfigurationError that lists every problem with the variable's name */
export const readConfig = (env: NodeJS.ProcessEnv) => read(env, DECLARATION);
