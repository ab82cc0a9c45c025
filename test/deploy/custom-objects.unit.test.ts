import { expect } from 'chai';
import { isCustom, schemaErrors } from './custom-objects.js';
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

describe('the schemas of custom resources', () => {
  it('accept valid objects', () => {
    expect(schemaErrors(scaled({ minReplicaCount: 2 }))).to.deep.equal([]);
    expect(schemaErrors(rule({ interval: '1m30s', partial_response_strategy: 'Warn' }))).to.deep.equal([]);
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
  for (const [what, manifest, error] of WRONG) {
    it(`report ${what}`, () => {
      expect(schemaErrors(manifest)).to.have.length(1);
      expect(schemaErrors(manifest)[0]).to.match(error);
    });
  }

  it('exist for some kinds only', () => {
    expect(isCustom(scaled({}))).to.equal(true);
    const job = { ...scaled({}), kind: 'ScaledJob' };
    expect(isCustom(job)).to.equal(false);
    expect(() => schemaErrors(job)).to.throw('There is no schema of keda.sh/v1alpha1 ScaledJob');
  });
});
