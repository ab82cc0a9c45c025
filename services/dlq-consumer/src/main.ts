import { ownProcess } from '@postrider/shared/platform/host';
import { runService } from '@postrider/shared/runtime/lifecycle';
import { readConfig } from './config.js';
import { startDlqConsumer } from './service.js';

await runService({
  name: 'dlq-consumer',
  readConfig,
  start: (config, log, { fail, stopping }) =>
    startDlqConsumer(config, log, { fail, host: ownProcess(stopping) }),
});
