import { PLATFORM } from '@postrider/shared/runtime/common-config';
import { duration, readConfig as read } from '@postrider/shared/runtime/config';

/** A span in seconds would remove what was delivered today. */
const retention = duration({ least: '1d', most: '36500d', leastInTests: '1s' });
const budget = duration({ least: '1s', most: '1d' });

export const DECLARATION = {
  ...PLATFORM,
  RETENTION: retention({
    default: 30 * 24 * 60 * 60 * 1_000,
    desc: 'How long deliveries and their attempts are kept',
  }),
  TIME_BUDGET: budget({ default: 10 * 60 * 1_000, desc: 'How long the cleanup may go on in one run' }),
};

export type Config = ReturnType<typeof readConfig>;

/** @throws ConfigurationError that lists every complaint by the variable's name */
export const readConfig = (env: NodeJS.ProcessEnv) => read(env, DECLARATION);
