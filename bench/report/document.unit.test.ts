import { expect } from 'chai';
import { machineText, updateDocument } from './document.js';
import { kafkaVersion } from './machine.js';

describe('the document of the benchmarks', () => {
  const section = (name: string, results: string) => ({ name, about: `What ${name} asks.`, results });

  it('begins with how to reproduce it', () => {
    const text = updateDocument(null, section('latency', 'fast'));
    expect(text).to.match(/^# Benchmarks\n/);
    expect(text).to.contain('npm run bench');
    expect(text).to.contain('## latency\n\nWhat latency asks.\n\n<!-- bench:latency -->\nfast\n');
  });

  it('gets new results where the old ones stood, and keeps what people wrote', () => {
    const first = updateDocument(updateDocument(null, section('latency', 'slow')), section('delay', 'late'));
    const edited = first.replace('What latency asks.', 'Our own words.').concat('\nThe reason is …\n');
    const text = updateDocument(edited, section('latency', 'costs $1 and $&'));
    expect(text).to.contain('<!-- bench:latency -->\ncosts $1 and $&\n<!-- /bench:latency -->');
    expect(text).to.not.contain('slow');
    for (const kept of ['Our own words.', 'late', 'The reason is …']) expect(text).to.contain(kept);
    expect(text.match(/## latency/g)).to.have.length(1);
  });

  it('says what was measured on', () => {
    const machine = {
      ...{ cpu: 'CPU', cores: 2, memoryBytes: 24 * 2 ** 30, system: 'Linux 6 x64' },
      ...{ node: '24', kafka: '4.1.0', mongod: '6.0.5', postrider: '1.0.0' },
    };
    const conditions = { runs: 3, scale: 0.1, date: '2026-01-02' };
    expect(machineText(machine, conditions)).to.equal(
      '2026-01-02: Postrider 1.0.0; 2 cores (CPU), 24 GiB, Linux 6 x64;\n' +
        'Node 24, Kafka 4.1.0, MongoDB 6.0.5; 3 runs, shortened to 0.1.',
    );
    expect(machineText(machine, { ...conditions, scale: 1 })).to.match(/3 runs\.$/);
  });

  it("finds the broker's version in the name of its jar", () => {
    expect(kafkaVersion(['/a/scala-library-2.13.jar', '/a/kafka_2.13-4.1.0.jar'])).to.equal('4.1.0');
    expect(kafkaVersion(['/a/kafka-clients-4.1.0.jar'])).to.equal(null);
  });
});
