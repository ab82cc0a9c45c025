import { ownProcess } from '@postrider/shared/platform/host';
import { runService } from '@postrider/shared/runtime/lifecycle';
import { readConfig } from './config.js';
import { startDispatcher } from './service.js';
import { stopLimitMs } from './stop-limit.js';

await runService({
  name: 'dispatcher',
  readConfig,
  stopLimitMs,
  start: (config, log, { fail, stopping }) =>
    startDispatcher(config, log, { fail, host: ownProcess(stopping) }),
});
