import { compileEventType } from '@postrider/shared/catalogue/compile-event-type';
import { createCompiler } from '@postrider/shared/catalogue/validator';
import { expect } from 'chai';
import fc from 'fast-check';
import { describedFields } from './described-fields-arbitrary.js';

const compile = createCompiler('first');

describe('the fields of an event', () => {
  it('are accepted and kept if they match a schema that describes all of them', function () {
    this.timeout(60_000);
    let valid = 0;
    fc.assert(
      fc.property(describedFields, ({ schema, fields }) => {
        if (!compile(schema)(fields)) return;
        valid += 1;
        expect(compileEventType({ schema }).accept(fields), JSON.stringify({ schema, fields })).to.deep.equal(
          { fields },
        );
      }),
      { numRuns: 500 },
    );
    expect(valid).to.be.greaterThan(100);
  });
});
