import { expect } from 'chai';
import { appNameOf, levelOfAppName } from '../../src/mongo/app-name.js';

describe('the name of a connection', () => {
  it('carries the feature level of its process', () => {
    expect(levelOfAppName(appNameOf('dlq-consumer', 12))).to.equal(12);
  });

  it('of the version that knew no levels means level 1', () => {
    expect(['api', 'dispatcher', 'dlq-consumer', 'janitor'].map(levelOfAppName)).to.deep.equal([1, 1, 1, 1]);
  });

  it('of another program has no level', () => {
    expect(['mongosh', '', 'postrider/x api', 'postrider/2'].map(levelOfAppName)).to.deep.equal([
      null,
      null,
      null,
      null,
    ]);
  });
});
