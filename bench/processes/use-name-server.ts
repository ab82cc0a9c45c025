import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';

/*
 * Loaded into a dispatcher before its own code (node --import): makes its resolvers query the name server in
 * BENCH_NAME_SERVER. A dispatcher uses the name servers of the system, which a bench must not change.
 */
const { BENCH_NAME_SERVER: address = '' } = process.env;
dns.Resolver = class extends dns.Resolver {
  constructor(options?: dns.ResolverOptions) {
    super(options);
    this.setServers([address]);
  }
};
syncBuiltinESMExports();
