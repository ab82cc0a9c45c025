import { ownProcess } from '@postrider/shared/platform/host';
import { runService } from '@postrider/shared/runtime/lifecycle';
import { readConfig } from './config.js';
import { startApi } from './service.js';

await runService({
  name: 'api',
  readConfig,
  start: (config, log, { stopping }) => startApi(config, log, { host: ownProcess(stopping) }),
});
