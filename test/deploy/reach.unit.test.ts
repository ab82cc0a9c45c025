import { expect } from 'chai';
import { reaches, type Source, type Target } from './reach.js';
import type { Manifest } from './render.js';

const policy = (spec: object): Manifest => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'any' },
  spec: { podSelector: {}, ...spec },
});
const pod = (app: string): Source => ({ labels: { app } });
const web: Target = { labels: { app: 'web' }, ports: { http: 8080 }, port: 8080 };
const broker: Target = { address: '10.1.2.3', namespace: 'kafka', port: 9092 };
const toBroker = { policyTypes: ['Egress'], egress: [{ ports: [{ port: 9092 }] }] };

describe('the reach of a pod under network policies', () => {
  it('is unlimited when no policy selects it', () => {
    expect(reaches([], pod('a'), broker)).to.equal(true);
    const other = policy({ podSelector: { matchLabels: { app: 'b' } }, policyTypes: ['Egress'], egress: [] });
    expect(reaches([other], pod('a'), broker)).to.equal(true);
    expect(reaches([other], pod('b'), broker)).to.equal(false);
  });

  it('is that of policies which select it by one of several values of a label, and no other operator is supported', () => {
    const by = (operator: string) =>
      policy({
        podSelector: { matchExpressions: [{ key: 'app', operator, values: ['b', 'c'] }] },
        policyTypes: ['Egress'],
        egress: [],
      });
    expect(reaches([by('In')], pod('a'), broker)).to.equal(true);
    for (const app of ['b', 'c']) expect(reaches([by('In')], pod(app), broker)).to.equal(false);
    expect(() => reaches([by('NotIn')], pod('a'), broker)).to.throw('the operator In');
  });

  it('is what its policies allow, by port and protocol', () => {
    expect(reaches([policy(toBroker)], pod('a'), broker)).to.equal(true);
    expect(reaches([policy(toBroker)], pod('a'), { ...broker, port: 9094 })).to.equal(false);
    const names: Target = { address: '10.1.2.3', port: 9092, protocol: 'UDP' };
    expect(reaches([policy(toBroker)], pod('a'), names)).to.equal(false);
  });

  it('is the union of all policies that select it', () => {
    const toWeb = policy({
      podSelector: { matchLabels: { app: 'a' } },
      policyTypes: ['Egress'],
      egress: [{ to: [{ podSelector: { matchLabels: { app: 'web' } } }], ports: [{ port: 'http' }] }],
    });
    expect(reaches([policy(toBroker)], pod('a'), web)).to.equal(false);
    expect(reaches([policy(toBroker), toWeb], pod('a'), web)).to.equal(true);
    expect(reaches([policy(toBroker), toWeb], pod('b'), web)).to.equal(false);
  });

  it('ends at a pod whose policies allow no ingress', () => {
    const into = (ingress: object[]) => policy({ policyTypes: ['Ingress'], ingress });
    expect(reaches([into([])], pod('a'), web)).to.equal(false);
    expect(
      reaches([into([{ from: [{ namespaceSelector: {} }], ports: [{ port: 9464 }] }])], pod('a'), web),
    ).to.equal(false);
    expect(reaches([into([{ ports: [{ port: 'http' }] }])], pod('a'), web)).to.equal(true);
  });

  it('includes the addresses of a block, but not its exceptions', () => {
    const outside = { egress: [{ to: [{ ipBlock: { cidr: '0.0.0.0/0', except: ['10.0.0.0/8'] } }] }] };
    const policies = [policy({ policyTypes: ['Egress'], ...outside })];
    expect(reaches(policies, pod('a'), broker)).to.equal(false);
    expect(reaches(policies, pod('a'), { address: '203.0.113.7', port: 9092 })).to.equal(true);
    expect(reaches(policies, pod('a'), { address: '2001:db8::1', port: 9092 })).to.equal(false);
  });

  it('includes every port of a rule whose port is null, as YAML reads an empty one', () => {
    const rule = { to: [{ ipBlock: { cidr: '10.0.0.0/8' } }], ports: [{ port: null, protocol: 'TCP' }] };
    const policies = [policy({ policyTypes: ['Egress'], egress: [rule] })];
    expect(reaches(policies, pod('a'), { address: '10.1.2.3', port: 9092 })).to.equal(true);
  });

  it('includes the pods of a namespace, in a range of ports', () => {
    const matchLabels = { 'kubernetes.io/metadata.name': 'kafka' };
    const rule = { to: [{ namespaceSelector: { matchLabels } }], ports: [{ port: 9090, endPort: 9093 }] };
    const policies = [policy({ policyTypes: ['Egress'], egress: [rule] })];
    expect(reaches(policies, pod('a'), broker)).to.equal(true);
    expect(reaches(policies, pod('a'), { ...broker, port: 9094 })).to.equal(false);
    expect(reaches(policies, pod('a'), { ...broker, namespace: 'other' })).to.equal(false);
    expect(reaches(policies, pod('a'), { address: '10.1.2.3', port: 9092 })).to.equal(false);
    expect(reaches(policies, pod('a'), { ...web, port: 9092 })).to.equal(false);
  });
});
