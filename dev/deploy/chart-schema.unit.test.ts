import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { CHART_SCHEMA, withVariables } from './chart-schema.js';

describe("the chart's schema", () => {
  it('knows every variable; if not, run npm run generate:deploy', () => {
    const schema = JSON.parse(readFileSync(CHART_SCHEMA, 'utf8'));
    expect(schema).to.deep.equal(JSON.parse(JSON.stringify(withVariables(schema))));
    expect(Object.keys(schema.properties.config.properties))
      .to.include.members(['RETRY_STEP', 'HOST', 'NODE_OPTIONS'])
      .and.not.to.include('PORT');
  });
});
