import { PLATFORM } from '@postrider/shared/runtime/common-config';
import { duration, readConfig as read } from '@postrider/shared/runtime/config';

export const DECLARATION = {
  ...PLATFORM,
  RETENTION: duration({
    default: 30 * 24 * 60 * 60 * 1_000,
    desc: 'How long deliveries and their attempts are kept',
  }),
  TIME_BUDGET: duration({ default: 10 * 60 * 1_000, desc: 'How long the cleanup may go on in one run' }),
};

export type Config = ReturnType<typeof readConfig>;

/** @throws ConfigurationError that lists every complaint by the variable's name */
export const readConfig = (env: NodeJS.ProcessEnv) => read(env, DECLARATION);
