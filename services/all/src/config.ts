import { DECLARATION as API } from '@postrider/api/config';
import { DECLARATION as DISPATCHER } from '@postrider/dispatcher/config';
import { DECLARATION as DLQ_CONSUMER } from '@postrider/dlq-consumer/config';
import { readConfig as read } from '@postrider/shared/runtime/config';

const { HEALTH_PORT: _, ...others } = { ...DLQ_CONSUMER, ...DISPATCHER, ...API };

/** The variables of api, dispatcher and dlq-consumer. METRICS_PORT serves /healthz and /readyz, too. */
export const DECLARATION = others;

export type Config = ReturnType<typeof readConfig>;

/** @throws ConfigurationError that lists every problem with the variable's name */
export const readConfig = (env: NodeJS.ProcessEnv) => read(env, DECLARATION);
