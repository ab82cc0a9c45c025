import { expect } from 'chai';
import { conditionsText, requireMarks, updateDocument } from './document.js';

describe('benchmark document', () => {
  const text = [
    '# Benchmarks',
    '### latency\n\nOur own words.\n\n<!-- bench:latency -->\nslow\n<!-- /bench:latency -->\n\nThe reason is …',
    '### delay\n\n<!-- bench:delay -->\n<!-- /bench:delay -->\n',
  ].join('\n\n');

  it('gets new results between the marks, and everything else stays', () => {
    const updated = updateDocument(updateDocument(text, 'latency', 'costs $1 and $&'), 'delay', 'late');
    expect(updated).to.equal(
      text.replace('\nslow\n', () => '\ncosts $1 and $&\n').replace('delay -->\n<', 'delay -->\nlate\n<'),
    );
  });

  it('must have the marks of every scenario whose results are written', () => {
    expect(() => requireMarks(text, ['latency', 'delay'])).to.not.throw();
    const missing =
      'lacks the marks between which results are written: <!-- bench:cost --> … <!-- /bench:cost -->';
    expect(() => requireMarks(text, ['delay', 'cost'])).to.throw(missing);
    expect(() => updateDocument(text, 'cost', 'much')).to.throw(missing);
  });

  it('states the machine, the versions, and the number, duration and rates of the runs', () => {
    const machine = {
      ...{ cpu: 'CPU', cores: 2, memoryBytes: 24 * 2 ** 30, system: 'Linux 6 x64' },
      ...{ node: '24', kafka: '4.1.0', mongod: '6.0.5', postrider: '1.0.0' },
    };
    expect(conditionsText(machine, { runs: 3, scale: 0.1, load: 0.5 }, new Date('2026-01-02'))).to.equal(
      '2026-01-02: Postrider 1.0.0; 2 cores (CPU), 24 GiB, Linux 6 x64;\n' +
        'Node 24, Kafka 4.1.0, MongoDB 6.0.5; 3 runs, shortened to 0.1, rates times 0.5.',
    );
  });
});
