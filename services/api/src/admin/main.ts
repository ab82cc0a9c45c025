import { runAdmin } from './run-admin.js';

process.exitCode = await runAdmin(process.argv.slice(2), process.env);
