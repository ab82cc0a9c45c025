import { startGuard } from '#dev/processes/guard';

console.log(typeof startGuard);
