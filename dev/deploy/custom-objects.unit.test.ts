import { expect } from 'chai';
import { complaintsAbout, isCustom } from './custom-objects.js';
import type { Manifest } from './render.js';

const scaled = (spec: object): Manifest => ({
  apiVersion: 'keda.sh/v1alpha1',
  kind: 'ScaledObject',
  metadata: { name: 'any' },
  spec: {
    scaleTargetRef: { name: 'any' },
    triggers: [{ type: 'kafka', metadata: { topic: 'any' } }],
    ...spec,
  },
});
const rule = (group: object): Manifest => ({
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'PrometheusRule',
  metadata: { name: 'any' },
  spec: { groups: [{ name: 'any', rules: [{ alert: 'Any', expr: 'up == 0', for: '5m' }], ...group }] },
});

describe('the schemas of what operators bring', () => {
  it('let pass what fits', () => {
    expect(complaintsAbout(scaled({ minReplicaCount: 2 }))).to.deep.equal([]);
    expect(complaintsAbout(rule({ interval: '1m30s', partial_response_strategy: 'Warn' }))).to.deep.equal([]);
  });

  const WRONG: readonly (readonly [string, Manifest, RegExp])[] = [
    ['a misspelt field', scaled({ minReplicas: 2 }), /^\/spec must NOT have additional.*: minReplicas$/],
    [
      'a misspelt field further in',
      rule({ rules: [{ alert: 'A', expr: '1', four: '5m' }] }),
      /rules\/0 .*: four$/,
    ],
    [
      'a field of another type',
      scaled({ maxReplicaCount: '6' }),
      /^\/spec\/maxReplicaCount must be integer$/,
    ],
    [
      'a field that is missing',
      scaled({ triggers: [{ type: 'kafka' }] }),
      /^\/spec\/triggers\/0 must have.*metadata/,
    ],
    [
      'a value of another form',
      rule({ interval: 'soon' }),
      /^\/spec\/groups\/0\/interval must match pattern/,
    ],
  ];
  for (const [what, manifest, complaint] of WRONG) {
    it(`find ${what}`, () => {
      expect(complaintsAbout(manifest)).to.have.length(1);
      expect(complaintsAbout(manifest)[0]).to.match(complaint);
    });
  }

  it('are there only for some kinds', () => {
    expect(isCustom(scaled({}))).to.equal(true);
    const job = { ...scaled({}), kind: 'ScaledJob' };
    expect(isCustom(job)).to.equal(false);
    expect(() => complaintsAbout(job)).to.throw('There is no schema of keda.sh/v1alpha1 ScaledJob');
  });
});
