import { untilMongoServes } from '../stack/until-serves.js';

const [address, replicaSet] = process.argv.slice(2);
if (address === undefined || replicaSet === undefined) {
  console.error('usage: make-replica-set <host:port> <name>');
  process.exit(2);
}
await untilMongoServes({ address, replicaSet });
console.log(`MongoDB at ${address} is replica set ${replicaSet} and accepts writes`);
