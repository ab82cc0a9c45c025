import { startFuzzedApi } from './fuzzed-api.js';
import { fuzz } from './fuzzer.js';

/** A run with fewer requests fails. */
const LEAST_REQUESTS = 2_000;

const api = await startFuzzedApi();
try {
  const { exitCode, requests } = await fuzz(api, process.argv.slice(2));
  console.log(`${requests} requests, ${LEAST_REQUESTS} at least; the fuzzer ended with ${exitCode}.`);
  process.exitCode = requests < LEAST_REQUESTS ? 1 : exitCode;
} finally {
  await api.stop();
}
