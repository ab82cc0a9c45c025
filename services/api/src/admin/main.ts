import { endWithReader } from './end-with-reader.js';
import { runAdmin } from './run-admin.js';

endWithReader();
process.exitCode = await runAdmin(process.argv.slice(2), process.env);
