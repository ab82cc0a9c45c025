import { EGRESS } from '@postrider/shared/platform/egress-config';
import {
  ENCRYPTION,
  HEALTH,
  KAFKA,
  LOGGING,
  MONGODB,
  OUTBOX,
  START,
  TESTING,
} from '@postrider/shared/runtime/common-config';
import { port, readConfig as read } from '@postrider/shared/runtime/config';

export const DECLARATION = {
  ...LOGGING,
  HOST: HEALTH.HOST,
  PORT: port({ default: 8080, desc: 'Port of the REST API, /healthz and /readyz; 0 chooses a free one' }),
  ...MONGODB,
  ...KAFKA,
  ...START,
  ...ENCRYPTION,
  ...EGRESS,
  ...OUTBOX,
  ...TESTING,
};

export type Config = ReturnType<typeof readConfig>;

/** @throws ConfigurationError that lists every complaint by the variable's name */
export const readConfig = (env: NodeJS.ProcessEnv) => read(env, DECLARATION);
