import { readFileSync } from 'node:fs';

/*
 * Loaded into dispatchers before their own code: shifts the machine's clock by the milliseconds in a file. To a dispatcher
 * this is the same as a database whose clock is shifted the other way.
 */

const file = process.env.FAULTS_CLOCK_FILE;
const read = Date.now;
let offset = 0;

if (file !== undefined) {
  setInterval(() => {
    offset = Number(readFileSync(file, 'utf8'));
  }, 200).unref();
  Date.now = () => read() + offset;
}
