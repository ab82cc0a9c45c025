import { expect } from 'chai';
import { healthy } from './population.js';
import { envOf, needsOf, nodeArgsOf } from './service-settings.js';

describe('settings of measured services', () => {
  it('need a name server for hosts that are names, and with TLS a certificate as well', () => {
    const quick = healthy('quick', 1);
    expect(needsOf([quick])).to.deep.equal({ certificate: false, nameServer: false });
    expect(needsOf([quick, { ...quick, named: true }])).to.deep.equal({
      certificate: false,
      nameServer: true,
    });
    expect(needsOf([{ ...quick, place: 'unresolvable' }])).to.deep.equal({
      certificate: false,
      nameServer: true,
    });
    expect(needsOf([{ ...quick, tls: true }, quick])).to.deep.equal({ certificate: true, nameServer: true });
  });

  it('have the configuration of the measurement before that of its database and topics', () => {
    const parts = { namespaceEnv: { HOST: '127.0.0.1', MAX_JOBS: '1' }, overrides: { MAX_JOBS: '2' } };
    expect(envOf({ ...parts, nameServer: null, caFile: null })).to.deep.equal({
      HOST: '127.0.0.1',
      MAX_JOBS: '2',
    });
    expect(envOf({ ...parts, nameServer: '127.0.0.1:53', caFile: '/ca.pem' })).to.deep.include({
      BENCH_NAME_SERVER: '127.0.0.1:53',
      NODE_EXTRA_CA_CERTS: '/ca.pem',
    });
  });

  it('load only the modules that the measurement asks for', () => {
    const context = (profiles: string | null) =>
      ({ options: { profiles } }) as Parameters<typeof nodeArgsOf>[0];
    expect(nodeArgsOf(context(null), {}, { nameServer: false })).to.deep.equal([]);
    const all = { countRequests: true, measureBlocks: true };
    const args = nodeArgsOf(context('/profiles'), all, { nameServer: true });
    expect(args.slice(0, 2)).to.deep.equal(['--cpu-prof', '--cpu-prof-dir=/profiles']);
    const modules = args.slice(2).filter((arg) => arg !== '--import');
    expect(modules.map((url) => url.replace(/.*\//, ''))).to.deep.equal([
      'run-unbundled.js',
      'use-name-server.js',
      'count-requests.js',
      'measure-blocks.js',
    ]);
  });
});
