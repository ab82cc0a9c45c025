import { expect } from 'chai';
import { EGRESS, EGRESS_WAY, egressRules } from '../../src/platform/egress-config.js';
import { readConfig } from '../../src/runtime/config.js';

const read = (env: NodeJS.ProcessEnv) => readConfig(env, { ...EGRESS, ...EGRESS_WAY });

describe('configuration of the egress', () => {
  it('has no restriction, name server or proxy by default', () => {
    expect(egressRules(read({}))).to.deep.equal({
      allowHttp: false,
      allowCidrs: [],
      allowHosts: [],
      denyCidrs: [],
      ports: [],
    });
    expect(read({})).to.deep.include({ EGRESS_NAME_SERVERS: [], EGRESS_PROXY: '' });
  });

  it('reads ranges, ports, name servers and a proxy', () => {
    const config = read({
      EGRESS_DENY_CIDRS: '198.51.100.0/24, 2001:db8::/32',
      EGRESS_PORTS: '443, 9000-9100',
      EGRESS_NAME_SERVERS: '192.0.2.53,192.0.2.54:5353,2001:db8::53,[2001:db8::53]:5353',
      EGRESS_PROXY: 'http://user:password@proxy:3128',
    });
    expect(config.EGRESS_DENY_CIDRS).to.deep.equal(['198.51.100.0/24', '2001:db8::/32']);
    expect(config.EGRESS_PORTS).to.deep.equal([
      { from: 443, to: 443 },
      { from: 9_000, to: 9_100 },
    ]);
    expect(config.EGRESS_NAME_SERVERS).to.have.length(4);
    expect(config.EGRESS_PROXY).to.equal('http://user:password@proxy:3128');
  });

  it('is applied to the rules of destinations', () => {
    const config = read({
      ALLOW_HTTP_WEBHOOKS: 'true',
      EGRESS_ALLOW_CIDRS: '10.0.0.0/8',
      EGRESS_ALLOW_HOSTS: 'receiver',
      EGRESS_DENY_CIDRS: '198.51.100.0/24',
      EGRESS_PORTS: '443',
    });
    expect(egressRules(config)).to.deep.equal({
      allowHttp: true,
      allowCidrs: ['10.0.0.0/8'],
      allowHosts: ['receiver'],
      denyCidrs: ['198.51.100.0/24'],
      ports: [{ from: 443, to: 443 }],
    });
  });

  const INVALID = [
    ['EGRESS_DENY_CIDRS', '10.0.0.0'],
    ['EGRESS_PORTS', '0'],
    ['EGRESS_PORTS', '65536'],
    ['EGRESS_PORTS', '9100-9000'],
    ['EGRESS_PORTS', 'https'],
    ['EGRESS_NAME_SERVERS', 'dns.example.com'],
    ['EGRESS_NAME_SERVERS', '192.0.2.53:0'],
    ['EGRESS_NAME_SERVERS', '[192.0.2.53]:53'],
    ['EGRESS_NAME_SERVERS', 'fe80::1%eth0'],
    ['EGRESS_NAME_SERVERS', '[fe80::1%eth0]:53'],
    ['EGRESS_PROXY', 'proxy:3128'],
    ['EGRESS_PROXY', 'socks5://proxy:1080'],
    ['EGRESS_PROXY', 'http://proxy:3128/path'],
    ['EGRESS_PROXY', 'http://proxy:0'],
    ['EGRESS_PROXY', 'http://user:100%@proxy:3128'],
    ['EGRESS_PROXY', 'http://us%er:password@proxy:3128'],
    ['EGRESS_PROXY', 'http://user:%ff@proxy:3128'],
  ] as const;
  for (const [name, value] of INVALID)
    it(`refuses ${name}=${value}`, () => expect(() => read({ [name]: value })).to.throw(name));

  it('does not repeat the address of a proxy in errors', () => {
    for (const url of [
      'http://user:hunter2@proxy/path',
      'http://user:hunter2%@proxy:3128',
      'http://user:hunter2@proxy:0',
    ])
      expect(() => read({ EGRESS_PROXY: url }))
        .to.throw('EGRESS_PROXY')
        .with.property('message')
        .that.does.not.include('hunter2');
  });

  it('accepts a proxy with encoded characters in its password, or without a port', () => {
    for (const url of ['http://user:100%25@proxy:3128', 'http://user:%C3%BC@proxy:3128', 'https://proxy'])
      expect(read({ EGRESS_PROXY: url }).EGRESS_PROXY).to.equal(url);
  });
});
