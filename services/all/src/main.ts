import { stopLimitMs } from '@postrider/dispatcher/stop-limit';
import { runService } from '@postrider/shared/runtime/lifecycle';
import { readConfig } from './config.js';
import { startAll } from './service.js';

await runService({ name: 'all', readConfig, stopLimitMs, start: startAll });
