import { PLATFORM } from '@postrider/shared/platform/platform-config';
import { readConfig as read } from '@postrider/shared/runtime/config';
import { HEALTH } from '@postrider/shared/runtime/process-config';

export const DECLARATION = {
  ...PLATFORM,
  ...HEALTH,
};

export type Config = ReturnType<typeof readConfig>;

/** @throws ConfigurationError that lists every problem with the variable's name */
export const readConfig = (env: NodeJS.ProcessEnv) => read(env, DECLARATION);
