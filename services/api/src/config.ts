import { EGRESS } from '@postrider/shared/platform/egress-config';
import { ENCRYPTION, PLATFORM } from '@postrider/shared/platform/platform-config';
import { readConfig as read } from '@postrider/shared/runtime/config';
import { LIVENESS } from '@postrider/shared/runtime/process-config';
import { duration, optionalHttpUrl, port, wholeNumber } from '@postrider/shared/runtime/variables';
import { OAUTH } from './access-tokens/oauth-config.js';
import { frameAncestors } from './console/frame-ancestors.js';
import { origins } from './http/origins.js';
import { parseTrustProxy, trustProxy } from './rate-limits/trust-proxy.js';

const perMinute = wholeNumber(0);
const atLeastOne = wholeNumber(1);
const lease = duration({ least: '3s', most: '5m' });
const poll = duration({ least: '100ms', most: '5m' });

export const DECLARATION = {
  ...PLATFORM,
  PORT: port({ default: 8080, desc: 'Port of the REST API, /healthz and /readyz; 0 chooses a free one' }),
  ...LIVENESS,
  TRUST_PROXY: trustProxy({
    default: parseTrustProxy('0'),
    desc: 'Trusted proxies for X-Forwarded-For: their number (0 trusts none), or their address ranges',
    example: '1',
  }),
  MCP_ORIGINS: origins({
    default: [],
    desc: 'Origins of web pages that may call /mcp and read its metadata; requests without an Origin header always may',
    example: 'https://chat.example.com',
  }),
  ...OAUTH,
  RATE_LIMIT_REST_READ: perMinute({ default: 600, desc: 'GET requests per minute and client; 0: no limit' }),
  RATE_LIMIT_REST_WRITE: perMinute({
    default: 120,
    desc: 'Other requests per minute and client; 0: no limit',
  }),
  RATE_LIMIT_MCP: perMinute({ default: 300, desc: 'MCP requests per minute and client; 0: no limit' }),
  RATE_LIMIT_PUBLISH: perMinute({
    default: 6_000,
    desc: 'Requests that publish events per minute and client; 0: no limit',
  }),
  RATE_LIMIT_ASSISTANT: perMinute({
    default: 60,
    desc: 'No effect: no operation is in the bucket "assistant". Assistants at /mcp count in RATE_LIMIT_MCP',
  }),
  CONSOLE_URL: optionalHttpUrl({
    default: '',
    desc: 'URL of the console in portal links; by default `/console` of the address that was asked',
    example: 'https://webhooks.example.com/console',
  }),
  CONSOLE_FRAME_ANCESTORS: frameAncestors({
    default: [],
    desc: 'Origins that may embed the console in a frame; none by default',
    example: 'https://app.example.com',
  }),
  RATE_LIMIT_WORKSPACE_FACTOR: wholeNumber(0)({
    default: 20,
    desc: 'Requests of all tokens of a workspace together, as a multiple of the limits of one token; 0: no limit',
  }),
  RATE_LIMIT_UNKNOWN_TOKENS: perMinute({
    default: 120,
    desc: 'Lookups of unknown tokens per minute, client address and process; 0: no limit',
  }),
  ENDPOINTS_PER_WORKSPACE: wholeNumber(1)({
    default: 1_000,
    desc: 'Webhook endpoints that a workspace may have; `admin workspace limits` changes it for one workspace',
  }),
  TOKENS_PER_WORKSPACE: wholeNumber(1)({
    default: 1_000,
    desc: 'Live API tokens that a workspace may have; `admin workspace limits` changes it for one workspace',
  }),
  MAX_STREAMS: atLeastOne({
    default: 1_000,
    desc: 'Open streams of one process; more get 503. A workspace may have a fifth of them; more get 429',
  }),
  REPLAY_RATE_LIMIT: atLeastOne({
    default: 2_000,
    desc: 'Replays per second of all replay jobs that one process runs',
  }),
  REPLAY_LEASE: lease({
    default: 5_000,
    desc: 'After a crash another process continues a replay job within this time and REPLAY_POLL_INTERVAL together, or after some 10 s if a transaction was in progress',
  }),
  REPLAY_POLL_INTERVAL: poll({ default: 2_000, desc: 'How often a process looks for replay jobs to run' }),
  ...ENCRYPTION,
  ...EGRESS,
};

export type Config = ReturnType<typeof readConfig>;

/** @throws ConfigurationError with all problems, each with the variable's name */
export const readConfig = (env: NodeJS.ProcessEnv) => read(env, DECLARATION);
