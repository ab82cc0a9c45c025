import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/*
 * Loaded into a service before its own code (node --import): counts what the Kafka client sends, by the name of the
 * request, and writes the counts to BENCH_REQUESTS_FILE at each SIGUSR2.
 */
const { BENCH_REQUESTS_FILE: file = '' } = process.env;
const counts: Record<string, number> = {};
const queue = createRequire(import.meta.url)('kafkajs/src/network/requestQueue/index.js').prototype;
const { push } = queue;
queue.push = function countAndPush(this: unknown, request: { readonly entry: { readonly apiName: string } }) {
  const { apiName } = request.entry;
  counts[apiName] = (counts[apiName] ?? 0) + 1;
  return push.call(this, request);
};
process.on('SIGUSR2', () => writeFileSync(file, JSON.stringify(counts)));
