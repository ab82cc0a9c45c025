import { expect } from 'chai';
import { parse } from 'yaml';
import { nodeOf } from './addresses.js';
import * as configuration from './configuration.js';

const NODE = nodeOf(2);

describe('configuration of a cluster of our own', () => {
  it('gives each user a token and groups', () =>
    expect(configuration.tokenFile([{ name: 'admin', token: 't', groups: ['a', 'b'] }])).to.equal(
      't,admin,admin,"a,b"\n',
    ));

  it('gives each node addresses of its own', () => {
    const network = JSON.parse(configuration.podNetwork(NODE, '/node'));
    expect(network.plugins[0]).to.deep.include({ bridge: 'postrider2' });
    expect(network.plugins[0].ipam.ranges).to.deep.equal([[{ subnet: '10.201.2.0/24' }]]);
    const places = { directory: '/node', socket: '/node/containerd.sock', resolvConf: '/node/resolv.conf' };
    expect(parse(configuration.kubeletSettings(NODE, places))).to.deep.include({
      address: '10.200.0.2',
      cgroupRoot: '/postrider-node-2',
      healthzPort: 10_242,
      // Regression: on a disk that was 85 % full, nodes removed images that no registry has.
      imageGCHighThresholdPercent: 100,
    });
  });

  it('loads an image into each node', () => {
    const script = configuration.loadImage('/packages', ['/1.sock', '/2.sock']);
    expect(script.match(/--address "[^"]+"/g)).to.deep.equal(['--address "/1.sock"', '--address "/2.sock"']);
  });

  it('sends clients to the API server with their token', () => {
    const { clusters, users } = parse(configuration.kubeconfig('secret'));
    expect(clusters[0].cluster.server).to.equal('https://10.200.0.1:6443');
    expect(users[0].user).to.deep.equal({ token: 'secret' });
  });
});
