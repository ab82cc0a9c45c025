import { expect } from 'chai';
import { type Pod, type Policy, policyRules } from './policy-rules.js';

const API: Pod = { namespace: 'a', labels: { app: 'api' }, address: '10.0.0.1', ports: { http: 8080 } };
const SENDER: Pod = { namespace: 'a', labels: { app: 'sender' }, address: '10.0.0.2', ports: {} };
const FOREIGN: Pod = { namespace: 'b', labels: { app: 'api' }, address: '10.0.0.3', ports: {} };
const NAMESPACES = { a: { name: 'a' }, b: { name: 'b' } };

const rules = (...policies: Omit<Policy, 'namespace'>[]) =>
  policyRules({
    policies: policies.map((policy) => ({ namespace: 'a', ...policy })),
    pods: [API, SENDER, FOREIGN],
    namespaces: NAMESPACES,
  })
    .split('\n')
    .filter((line) => line.startsWith('-A KUBE-POLIC') && !line.includes('RELATED'));
const selector = (app: string) => ({ matchLabels: { app } });

describe('rules for network policies', () => {
  it('are none for pods that no policy selects', () => expect(rules()).to.deep.equal([]));

  it('refuse what is not admitted, for pods of the namespace alone', () =>
    expect(rules({ podSelector: {}, policyTypes: ['Egress'] })).to.deep.equal(
      [API, SENDER].flatMap(({ address }) => [
        `-A KUBE-POLICIES -s ${address}/32 -j MARK --set-xmark 0x0/0x10000`,
        `-A KUBE-POLICIES -s ${address}/32 -m mark --mark 0x0/0x10000 -j REJECT`,
      ]),
    ));

  it('admit a named port of the pod that is connected to', () => {
    const into: Omit<Policy, 'namespace'> = {
      podSelector: selector('api'),
      policyTypes: ['Ingress'],
      ingress: [{ from: [{ podSelector: selector('sender') }], ports: [{ port: 'http' }] }],
    };
    const out: Omit<Policy, 'namespace'> = {
      podSelector: selector('sender'),
      policyTypes: ['Egress'],
      egress: [{ to: [{ podSelector: selector('api') }], ports: [{ port: 'http' }, { port: 'none' }] }],
    };
    expect(rules(into, out).filter((rule) => rule.includes('-p'))).to.deep.equal([
      '-A KUBE-POLICIES -d 10.0.0.1/32 -p tcp --dport 8080:8080 -s 10.0.0.2/32 -j MARK --set-xmark 0x10000/0x10000',
      '-A KUBE-POLICIES -s 10.0.0.2/32 -p tcp --dport 8080:8080 -d 10.0.0.1/32 -j MARK --set-xmark 0x10000/0x10000',
    ]);
  });

  it('leave out the exceptions of an address range', () => {
    const to = [
      { ipBlock: { cidr: '0.0.0.0/0', except: ['10.0.0.0/8'] } },
      { ipBlock: { cidr: '2000::/3' } },
    ];
    const policy: Omit<Policy, 'namespace'> = {
      podSelector: selector('sender'),
      policyTypes: ['Egress'],
      egress: [{ to }],
    };
    expect(rules(policy)).to.deep.equal([
      '-A KUBE-POLICY-1 -d 10.0.0.0/8 -j RETURN',
      '-A KUBE-POLICY-1 -j MARK --set-xmark 0x10000/0x10000',
      '-A KUBE-POLICIES -s 10.0.0.2/32 -j MARK --set-xmark 0x0/0x10000',
      '-A KUBE-POLICIES -s 10.0.0.2/32  -d 0.0.0.0/0 -j KUBE-POLICY-1',
      '-A KUBE-POLICIES -s 10.0.0.2/32 -m mark --mark 0x0/0x10000 -j REJECT',
    ]);
  });

  it('admit pods of a selected namespace', () => {
    const policy: Omit<Policy, 'namespace'> = {
      podSelector: selector('api'),
      policyTypes: ['Ingress'],
      ingress: [
        { from: [{ namespaceSelector: { matchLabels: { name: 'b' } } }], ports: [{ port: 1, endPort: 9 }] },
      ],
    };
    expect(rules(policy)[1]).to.contain('-p tcp --dport 1:9 -s 10.0.0.3/32');
  });
});
