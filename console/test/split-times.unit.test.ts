import { expect } from 'chai';
import { splitTimes } from '../src/ui/split-times.js';

const TIME = '2026-03-01T09:30:00.000Z';

describe('the times in a text of the api', () => {
  it('are found wherever they are, and everything else remains', () => {
    for (const text of ['', 'None.', TIME, `${TIME}${TIME}`, `It was created at ${TIME}. Until ${TIME}`]) {
      const pieces = splitTimes(text);
      expect(pieces.map((piece) => piece.text).join('')).to.equal(text);
      expect(pieces.filter(({ isTime }) => isTime).map((piece) => piece.text)).to.deep.equal(
        text.match(/2026-\S+?Z/g) ?? [],
      );
      for (const piece of pieces) expect(text.indexOf(piece.text, piece.start)).to.equal(piece.start);
    }
  });

  it('are not dates, nor times of another form', () => {
    for (const text of ['On 2026-03-01', 'at 09:30:00', 'whe_2026-03-01T09:30Z'])
      expect(splitTimes(text)).to.deep.equal([{ isTime: false, text, start: 0 }]);
  });
});
