import { boundHeapGrowth } from '@postrider/shared/runtime/heap-growth';
import { runService } from '@postrider/shared/runtime/lifecycle';
import { readConfig } from './config.js';
import { startDispatcher } from './service.js';

boundHeapGrowth();
await runService({ name: 'dispatcher', readConfig, start: startDispatcher });
