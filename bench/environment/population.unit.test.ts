import { createEgress } from '@postrider/shared/domain/webhook-url';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  addressOfName,
  createPopulation,
  disabled,
  expectedCounts,
  type Group,
  healthy,
  interleave,
  workspacesOf,
} from './population.js';

describe('bench population', () => {
  const groups: Group[] = [
    healthy('quick', 4, 1),
    { ...healthy('mates', 2), sharedHost: true },
    { name: 'refusing', count: 1, place: 'refusing', expected: null },
    { name: 'lost', count: 1, place: 'unresolvable', expected: null },
  ];
  const origins = ['http://127.77.0.1:1000', 'http://127.77.0.2:1001', 'http://127.77.0.3:1002'];
  const sealing = { seal: () => ({ keyId: 'k', nonce: 'n', box: 'b' }) };
  const plan = {
    groups,
    perWorkspace: 2,
    origins,
    tlsPort: '1443',
    refusingOrigin: 'http://127.0.0.1:9',
    sealing,
  };
  const population = createPopulation(plan);
  const { endpoints, workspaces } = population;
  const originsOf = (name: string) =>
    new Set(
      endpoints
        .filter(({ group }) => group.name === name)
        .map(({ endpoint }) => new URL(endpoint.url).origin),
    );

  it('has every endpoint of every group in workspaces of the given size', () => {
    expect(endpoints).to.have.length(8);
    expect(endpoints.map(({ workspace }) => workspace)).to.deep.equal([0, 0, 1, 1, 2, 2, 3, 3]);
    for (const { endpoint, workspace } of endpoints)
      expect(endpoint.workspaceId).to.equal(workspaces[workspace]?.id);
  });

  it('puts a group that shares a workspace into one more workspace', () => {
    const crowd = { ...healthy('crowd', 3), sharedWorkspace: true };
    const { endpoints, workspaces } = createPopulation({ ...plan, groups: [crowd, healthy('quick', 4)] });
    expect(workspaces).to.have.length(3);
    expect(endpoints.map(({ group, workspace }) => `${group.name} ${workspace}`)).to.deep.equal([
      ...['quick 0', 'quick 0', 'quick 1', 'quick 1'],
      ...['crowd 2', 'crowd 2', 'crowd 2'],
    ]);
  });

  it('disables the endpoints of a group of disabled ones', () => {
    const { endpoints } = createPopulation({ ...plan, groups: [disabled('held', 1), healthy('quick', 1)] });
    expect(endpoints.map(({ group, endpoint }) => [group.name, endpoint.enabled])).to.have.deep.members([
      ['held', false],
      ['quick', true],
    ]);
    expect(expectedCounts({ endpoints }, [3])).to.deep.equal({ rows: 6, posts: 3 });
  });

  it('gives each endpoint of a named group its own name for an address of the receiver', () => {
    const { endpoints } = createPopulation({ ...plan, groups: [{ ...healthy('quick', 4), named: true }] });
    const hosts = endpoints.map(({ endpoint }) => new URL(endpoint.url));
    expect(new Set(hosts.map(({ hostname }) => hostname))).to.have.property('size', 4);
    expect(hosts.map(({ hostname, port }) => `http://${addressOfName(hostname)}:${port}`)).to.deep.equal([
      ...origins.slice(1),
      ...origins.slice(1),
    ]);
    expect(addressOfName('receiver-1.unresolvable.test')).to.equal(null);
  });

  it('gives each endpoint with TLS a name of its own', () => {
    const { endpoints } = createPopulation({ ...plan, groups: [{ ...healthy('quick', 2), tls: true }] });
    const urls = endpoints.map(({ endpoint }) => new URL(endpoint.url));
    expect(urls.map(({ origin }) => origin)).to.deep.equal([
      'https://receiver-0.co.zz:1443',
      'https://receiver-1.co.zz:1443',
    ]);
    for (const { hostname } of urls) expect(addressOfName(hostname)).to.equal('127.0.0.1');
  });

  it('gives each endpoint with TLS whose connections are refused a name of its own', () => {
    const group: Group = { name: 'refusing', count: 2, place: 'refusing', tls: true, expected: null };
    const { endpoints } = createPopulation({ ...plan, groups: [group] });
    const urls = endpoints.map(({ endpoint }) => endpoint.url);
    expect(urls).to.deep.equal(['https://receiver-0.co.zz:9/', 'https://receiver-1.co.zz:9/']);
  });

  it('gives each endpoint its own host or all endpoints of a group the shared one', () => {
    expect(originsOf('quick')).to.deep.equal(new Set(origins.slice(1)));
    expect(originsOf('mates')).to.deep.equal(new Set([origins[0]]));
  });

  it('uses the shared host if there is no other', () => {
    const [first] = createPopulation({ ...plan, origins: origins.slice(0, 1) }).endpoints;
    expect(new URL(first!.endpoint.url).origin).to.equal(origins[0]);
  });

  it('has only URLs that the dispatcher of a bench accepts', () => {
    const egress = createEgress({ allowHttp: true, allowCidrs: ['127.0.0.0/8'], allowHosts: [] });
    for (const { endpoint } of endpoints)
      expect(egress.problemWith(endpoint.url), endpoint.url).to.equal(null);
  });

  it('lists each workspace of the selected groups once', () => {
    expect(workspacesOf(population, ({ name }) => name === 'refusing')).to.have.length(1);
    expect(workspacesOf(population, () => true)).to.deep.equal([0, 1, 2, 3]);
  });

  it('expects a row for each event and endpoint, and POSTs only of groups with an expected end', () => {
    const flaky = { ...healthy('flaky', 1), expected: { attempts: 7, status: 'delivered' } } as const;
    const placed = [healthy('quick', 2), healthy('quick', 2), flaky, groups[2]!].map((group, index) => {
      return { endpoint: {} as never, group, workspace: [0, 0, 1, 2][index] ?? 0 };
    });
    expect(expectedCounts({ endpoints: placed }, [10, 2, 5])).to.deep.equal({ rows: 27, posts: 34 });
    expect(expectedCounts({ endpoints: placed }, [])).to.deep.equal({ rows: 0, posts: 0 });
  });

  it('spreads every group evenly', () => {
    const orderOf = (counts: number[]) =>
      interleave(counts.map((count, name) => ({ count, name }))).map(({ name }) => name);
    expect(orderOf([4, 2])).to.deep.equal([0, 1, 0, 0, 1, 0]);
    const sizes = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(sizes, (counts) => {
        const order = orderOf(counts);
        const firstHalf = order.slice(0, Math.ceil(order.length / 2));
        for (const [name, count] of counts.entries()) {
          expect(order.filter((one) => one === name)).to.have.length(count);
          const inFirstHalf = firstHalf.filter((one) => one === name).length;
          expect(inFirstHalf).to.be.within(count / 2 - counts.length, count / 2 + counts.length);
        }
      }),
    );
  });
});
