import { asId, type EndpointId, firstIdAt } from '@postrider/shared/domain/id';
import type { CountedRows, Hours } from '@postrider/shared/ports/delivery-stats';
import { later, NOON } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { createdFrom } from '../src/closed-hours.js';
import { createPageCount } from '../src/count-page.js';
import { begun, positionIn, resumed } from '../src/open-workspace.js';

const SPAN = { from: NOON, before: later(2 * 60 * 60_000) };
const WORKSPACE = asId('workspace', 'ws');
const [A, B, C] = ['a', 'b', 'c'].map((text) => asId('endpoint', text)) as [
  EndpointId,
  EndpointId,
  EndpointId,
];
const BEGINNING = firstIdAt('delivery', createdFrom(SPAN));

describe('counting a page of endpoints', () => {
  it('asks for rows until no endpoint is left', () => {
    const open = begun(WORKSPACE, SPAN, new Map());
    const page = createPageCount(open, [A, B, C], new Map());
    expect(page.next()).to.include({ after: BEGINNING }).and.have.deep.property('endpointIds', [A, B, C]);
    page.add(rows({ a: 1 }, null));
    expect(page.next()).to.equal(null);
    expect(open.last).to.equal(C);
  });

  it('continues within the endpoint at which a slice ended', () => {
    const open = begun(WORKSPACE, SPAN, new Map());
    const page = createPageCount(open, [A, B, C], new Map());
    expect(successes(page.add(rows({ a: 1, b: 2 }, [B, 'd7'])))).to.deep.equal({ a: 1 });
    expect(open.last).to.equal(A);
    expect(page.next()).to.include({ after: 'd7' }).and.have.deep.property('endpointIds', [B]);
    expect(successes(page.add(rows({ b: 3 }, null)))).to.deep.equal({ b: 5 });
    expect(page.next()).to.include({ after: BEGINNING }).and.have.deep.property('endpointIds', [C]);
    expect(successes(page.add(rows({}, null)))).to.deep.equal({ c: 0 });
    expect(open.tally.counted.get(NOON.getTime())?.fields.get('success')).to.equal(6);
  });

  it('adds nothing to the workspace before an endpoint is done', () => {
    const open = begun(WORKSPACE, SPAN, new Map());
    const page = createPageCount(open, [A], new Map());
    expect(page.add(rows({ a: 4 }, [A, 'd4'])).size).to.equal(0);
    expect(open.tally.counted.size).to.equal(0);
    expect(open.last).to.equal(null);
  });

  it('continues with the counts of the last run, also within an endpoint', () => {
    const before = begun(WORKSPACE, SPAN, new Map());
    createPageCount(before, [A, B], new Map()).add(rows({ a: 1, b: 2 }, [B, 'd7']));
    const open = resumed(positionIn(before), NOON);
    if (open === null) throw new Error('the workspace is not done');
    const page = createPageCount(open, [B, C], new Map());
    expect(page.next()).to.include({ after: 'd7' }).and.have.deep.property('endpointIds', [B]);
    expect(successes(page.add(rows({ b: 3 }, null)))).to.deep.equal({ b: 5 });
  });

  it('leaves out an endpoint that was deleted since the last run', () => {
    const before = begun(WORKSPACE, SPAN, new Map());
    createPageCount(before, [A, B], new Map()).add(rows({ a: 1, b: 2 }, [B, 'd7']));
    const open = resumed(positionIn(before), NOON);
    if (open === null) throw new Error('the workspace is not done');
    const page = createPageCount(open, [C], new Map());
    expect(page.next()).to.include({ after: BEGINNING }).and.have.deep.property('endpointIds', [C]);
    expect(successes(page.add(rows({}, null)))).to.deep.equal({ c: 0 });
    expect(open.tally.counted.get(NOON.getTime())?.fields.get('success')).to.equal(1);
  });
});

/** Counted rows: successes by endpoint, and the last row if more are left. */
function rows(
  counts: Readonly<Record<string, number>>,
  last: readonly [EndpointId, string] | null,
): CountedRows {
  const hoursOf = (count: number): Hours =>
    new Map([[NOON.getTime(), { hour: NOON, fields: new Map([['success', count]]) }]]);
  return {
    counted: new Map(Object.entries(counts).map(([id, count]) => [asId('endpoint', id), hoursOf(count)])),
    unreadable: [],
    last: last && { endpointId: last[0], deliveryId: last[1] },
  };
}

function successes(done: ReturnType<ReturnType<typeof createPageCount>['add']>) {
  return Object.fromEntries(
    [...done].map(([id, { counted }]) => [id, counted.get(NOON.getTime())?.fields.get('success') ?? 0]),
  );
}
