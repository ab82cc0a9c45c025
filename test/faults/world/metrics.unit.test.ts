import { expect } from 'chai';
import { sumOfSamples } from './metrics.js';

const TEXT = `# HELP postrider_look_ups_total Name lookups by result
# TYPE postrider_look_ups_total counter
postrider_look_ups_total{result="found",service="dispatcher"} 12
postrider_look_ups_total{result="stale",service="dispatcher"} 30
postrider_jobs 5
postrider_jobs_free 1000
`;
const sum = (name: string, label?: string) => sumOfSamples(TEXT, { name, ...(label && { label }) });

describe('sum of the samples of a metric', () => {
  it('includes all its labels, and no metric whose name is longer', () => {
    expect(sum('postrider_look_ups_total')).to.equal(42);
    expect(sum('postrider_jobs')).to.equal(5);
  });

  it('may be limited to a label', () => {
    expect(sum('postrider_look_ups_total', 'result="stale"')).to.equal(30);
  });

  it('is 0 without samples', () => {
    expect(sum('postrider_unsettled')).to.equal(0);
  });
});
