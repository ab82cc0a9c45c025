import { egressFor } from '@postrider/shared/domain/webhook-url';
import { expect } from 'chai';
import { makePopulation, workspacesOf } from './population.js';

describe('a population', () => {
  const own = { kind: 'receiver', answer: { kind: 'after', delayMs: 1 }, host: 'own' } as const;
  const groups = [
    { name: 'quick', count: 4, place: own },
    { name: 'mates', count: 2, place: { ...own, host: 'shared' } },
    { name: 'refusing', count: 1, place: { kind: 'refusing' } },
    { name: 'lost', count: 1, place: { kind: 'unresolvable' } },
  ] as const;
  const origins = ['http://127.77.0.1:1000', 'http://127.77.0.2:1001', 'http://127.77.0.3:1002'];
  const hosts = { origins, refusingOrigin: 'http://127.0.0.1:9' };
  let drawn = 0;
  const source = {
    sealing: { seal: () => ({ keyId: 'k', nonce: 'n', box: 'b' }) },
    randomBytes: (size: number) => {
      drawn += 1;
      return Buffer.alloc(size, drawn);
    },
    now: new Date(0),
  };
  const { endpoints, workspaces } = makePopulation({ groups, perWorkspace: 2, hosts }, source);
  const urlsOf = (name: string) =>
    endpoints.filter(({ group }) => group === name).map(({ endpoint }) => endpoint.url);

  it('has every endpoint of every group, in workspaces of the wanted size', () => {
    expect(endpoints).to.have.length(8);
    expect(workspaces).to.have.length(4);
    expect(endpoints.map(({ workspace }) => workspace)).to.deep.equal([0, 0, 1, 1, 2, 2, 3, 3]);
    for (const { endpoint, workspace } of endpoints)
      expect(endpoint.workspaceId).to.equal(workspaces[workspace]?.id);
  });

  it('has hosts of their own for some, one host for others', () => {
    expect(new Set(urlsOf('quick').map((url) => new URL(url).origin))).to.deep.equal(
      new Set(origins.slice(1)),
    );
    expect(new Set(urlsOf('mates').map((url) => new URL(url).origin))).to.deep.equal(new Set([origins[0]]));
  });

  it('has only URLs that a dispatcher of the bench accepts', () => {
    const egress = egressFor({ allowHttp: true, allowCidrs: ['127.0.0.0/8'], allowHosts: [] });
    for (const { endpoint } of endpoints)
      expect(egress.problemWith(endpoint.url), endpoint.url).to.equal(null);
  });

  it('names the workspaces of a group once', () => {
    expect(workspacesOf({ endpoints, workspaces }, 'refusing')).to.have.length(1);
    const all = groups.flatMap(({ name }) => workspacesOf({ endpoints, workspaces }, name));
    expect(new Set(all)).to.deep.equal(new Set([0, 1, 2, 3]));
  });

  it('has one host where there is only one', () => {
    const one = makePopulation(
      { groups, perWorkspace: 1, hosts: { ...hosts, origins: [origins[0]!] } },
      source,
    );
    const [first] = one.endpoints.filter(({ group }) => group === 'quick');
    expect(new URL(first!.endpoint.url).origin).to.equal(origins[0]);
  });
});
