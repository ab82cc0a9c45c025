import { FAULTS } from '../faults.js';
import { tryFault } from '../try-fault.js';
import { withServers } from '../with-servers.js';

/** One fault in a process of its own: `lane.js <number> <seed>`. Its result is sent to the process that forked it. */
const [number, seed] = process.argv.slice(2).map(Number);
const fault = FAULTS.find((one) => one.number === number);
if (fault === undefined || seed === undefined || process.send === undefined)
  throw new Error('lane.js is forked by the fault suite, with the number of a fault and a seed');

// Whoever waits for the result has gone.
process.on('disconnect', () => process.exit(130));
const result = await withServers((held) => tryFault(fault, { ...held, seed }));
process.send(result, () => process.exit());
