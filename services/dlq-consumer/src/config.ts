import { HEALTH, PLATFORM } from '@postrider/shared/runtime/common-config';
import { readConfig as read } from '@postrider/shared/runtime/config';

export const DECLARATION = {
  ...PLATFORM,
  ...HEALTH,
};

export type Config = ReturnType<typeof readConfig>;

/** @throws ConfigurationError that lists every problem with the variable's name */
export const readConfig = (env: NodeJS.ProcessEnv) => read(env, DECLARATION);
