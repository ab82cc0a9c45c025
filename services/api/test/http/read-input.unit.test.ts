import { expect } from 'chai';
import { readDocument } from '../../src/document/read-document.js';
import { createInputCheck } from '../../src/http/read-input.js';

describe('queries', () => {
  const document = readDocument();
  const declaration = document.paths['/workspaces/{slug}/webhooks']!.get!;
  const { readQuery } = createInputCheck(document, { declaration, mistakesIn: () => [] });

  it('accept every form of a decimal number, and clamp it to the largest one', () => {
    for (const [text, value] of [
      ['7', 7],
      ['+7.', 7],
      ['-0.5e1', -5],
      ['.5', 0.5],
      ['1e999', Number.MAX_VALUE],
    ] as const) {
      expect(readQuery({ limit: text }), text).to.deep.equal({ values: { limit: value }, mistakes: [] });
    }
  });

  // Takes minutes where each split of the digits is tried.
  it('refuse a very long text of digits that is no number', () => {
    const { mistakes } = readQuery({ limit: `${'1'.repeat(300_000)}x` });
    expect(mistakes.map(({ path }) => path)).to.deep.equal(['limit']);
  });
});
