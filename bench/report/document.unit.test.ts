import { expect } from 'chai';
import { conditionsText, updateDocument } from './document.js';

describe('benchmark document', () => {
  const section = (name: string) => ({ name, about: `About ${name}.` });

  it('gets a section for each scenario', () => {
    const text = updateDocument('# Benchmarks\n', section('latency'), 'fast');
    expect(text).to.equal(
      '# Benchmarks\n\n### latency\n\nAbout latency.\n\n<!-- bench:latency -->\nfast\n<!-- /bench:latency -->\n',
    );
  });

  it('gets new results between the marks, and everything else stays', () => {
    const first = updateDocument(updateDocument('', section('latency'), 'slow'), section('delay'), 'late');
    const edited = first.replace('About latency.', 'Our own words.').concat('\nThe reason is …\n');
    const text = updateDocument(edited, section('latency'), 'costs $1 and $&');
    expect(text).to.contain('<!-- bench:latency -->\ncosts $1 and $&\n<!-- /bench:latency -->');
    expect(text).to.not.contain('slow');
    for (const part of ['Our own words.', 'late', 'The reason is …']) expect(text).to.contain(part);
    expect(text.match(/### latency/g)).to.have.length(1);
  });

  it('states the machine, the versions, and the number and duration of the runs', () => {
    const machine = {
      ...{ cpu: 'CPU', cores: 2, memoryBytes: 24 * 2 ** 30, system: 'Linux 6 x64' },
      ...{ node: '24', kafka: '4.1.0', mongod: '6.0.5', postrider: '1.0.0' },
    };
    expect(conditionsText(machine, { runs: 3, scale: 0.1 }, new Date('2026-01-02'))).to.equal(
      '2026-01-02: Postrider 1.0.0; 2 cores (CPU), 24 GiB, Linux 6 x64;\n' +
        'Node 24, Kafka 4.1.0, MongoDB 6.0.5; 3 runs, shortened to 0.1.',
    );
  });
});
