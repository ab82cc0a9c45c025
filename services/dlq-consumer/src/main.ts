import { runService } from '@postrider/shared/runtime/lifecycle';
import { readConfig } from './config.js';
import { startDlqConsumer } from './service.js';

await runService({ name: 'dlq-consumer', readConfig, start: startDlqConsumer });
