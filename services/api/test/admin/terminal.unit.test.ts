import { expect } from 'chai';
import { logTo } from '../../src/admin/terminal.js';

describe('the log of a command', () => {
  const printed: string[] = [];
  const log = logTo({ print: () => {}, printError: (line) => printed.push(line) });

  beforeEach(() => printed.splice(0));

  it('prints warnings with their reason', () => {
    log.warn({ event: 'start.waiting', reason: 'connection refused' }, 'Waiting for Kafka');
    expect(printed).to.deep.equal(['Waiting for Kafka (connection refused)']);
  });

  it('omits raw responses of the broker', () => {
    log.warn(
      { event: 'kafka.client', namespace: 'Connection' },
      'Response CreateTopics(key: 19, version: 3)',
    );
    expect(printed).to.deep.equal([]);
  });
});
