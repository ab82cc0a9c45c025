import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';

/*
 * Loaded into a dispatcher before its own code (node --import): its resolvers ask the name server that
 * BENCH_NAME_SERVER names. A dispatcher takes its name servers from the system, which a bench must not change.
 */

function useNameServer(address: string): void {
  dns.Resolver = class extends dns.Resolver {
    constructor(options?: dns.ResolverOptions) {
      super(options);
      this.setServers([address]);
    }
  };
  syncBuiltinESMExports();
}

if (process.env.BENCH_NAME_SERVER) useNameServer(process.env.BENCH_NAME_SERVER);
