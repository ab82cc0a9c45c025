import { expect } from 'chai';
import { createEnableReport, type Handled } from '../../src/admin/enable-report.js';

const ENDPOINT = { endpointId: 'a', workspaceId: 'ws', origin: 'https://a.example' };
const COUNTED: Handled = { ...ENDPOINT, heldDeliveries: 12 };
/** Counting stopped at the maximum. */
const NOT_COUNTED_TO_THE_END: Handled = { ...ENDPOINT, heldDeliveries: 100_000, isLowerBound: true };

function printed(endpoints: readonly Handled[], json = false) {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const report = createEnableReport({ print, printError: print }, { dryRun: true, replayHeld: true, json });
  for (const endpoint of endpoints) report.handled(endpoint);
  report.end();
  return lines;
}

describe('report of a dry run', () => {
  it('has an upper bound of the deliveries that would be replayed', () => {
    expect(printed([COUNTED])).to.deep.equal([
      'a ws https://a.example 12 held',
      '1 endpoint would be enabled. At most 12 held deliveries would be replayed.',
    ]);
  });

  // Regression: it stated that at most 100,000 would be replayed, however many were held.
  it('has a lower bound if held deliveries were not counted to the end', () => {
    expect(printed([NOT_COUNTED_TO_THE_END, COUNTED])).to.deep.equal([
      'a ws https://a.example at least 100000 held',
      'a ws https://a.example 12 held',
      '2 endpoints would be enabled. At least 100012 deliveries are held.',
    ]);
    const [json = ''] = printed([NOT_COUNTED_TO_THE_END, COUNTED], true);
    expect(JSON.parse(json).endpoints).to.deep.equal([NOT_COUNTED_TO_THE_END, COUNTED]);
  });
});
