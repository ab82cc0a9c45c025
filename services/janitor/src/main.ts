import { runJob } from '@postrider/shared/runtime/lifecycle';
import { readConfig } from './config.js';
import { runJanitor } from './service.js';

await runJob({ name: 'janitor', readConfig, run: runJanitor });
