import { runService } from '@postrider/shared/runtime/lifecycle';
import { readConfig } from './config.js';
import { startDispatcher } from './service.js';

await runService({ name: 'dispatcher', readConfig, start: startDispatcher });
