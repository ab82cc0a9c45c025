import { expect } from 'chai';
import { type LogLine, play } from './play.js';

const FATAL = 60;

/** The messages of the line that explains why a process ended: the sentence and, if unexpected, the error. */
function messagesOf(lines: readonly LogLine[]) {
  const fatal = lines.filter(({ level }) => level === FATAL);
  expect(fatal).to.have.length(1);
  const [{ event, msg, err }] = fatal as [LogLine];
  expect(event).to.equal('failed');
  return err === undefined ? [msg] : [msg, err.message];
}

describe('runService', () => {
  it('prints configuration problems to stderr by variable name and exits with 1', async () => {
    const { code, lines, stderr } = await play('runs', { env: { LOG_PRETTY: 'maybe' } });
    expect(code).to.equal(1);
    expect(stderr).to.match(/^under-test: the configuration is not usable:\n/);
    expect(stderr)
      .to.match(/^ {2}LOG_PRETTY: /m)
      .and.to.match(/^ {2}NEEDED is missing: /m);
    expect(stderr).not.to.match(/^\s+at /m);
    expect(lines).to.deep.equal([]);
  });

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`stops on ${signal} and exits with 0`, async () => {
      const { code, lines, stderr } = await play('runs', { signal });
      expect(lines.map(({ event }) => event)).to.deep.equal(['ready', 'stopping', 'stopped']);
      expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    });
  }

  it('stops at once while it waits for its servers', async () => {
    const { code, lines } = await play('waitsForServers', { signal: 'SIGTERM' });
    expect(lines.map(({ event }) => event)).to.deep.equal(['ready', 'stopping', 'stopped']);
    expect(code).to.equal(0);
  });

  // Regression: the process exited without a stop of what had started.
  it('stops a service that starts after the signal', async () => {
    const { code, lines } = await play('startsAfterSignal', { signal: 'SIGTERM' });
    expect(lines.map(({ event }) => event)).to.deep.equal(['ready', 'stopping', 'left', 'stopped']);
    expect(code).to.equal(0);
  });

  it('exits with 1 and the error if the start fails after the signal', async () => {
    const { code, lines } = await play('cannotStartAfterSignal', { signal: 'SIGTERM' });
    expect(code).to.equal(1);
    expect(messagesOf(lines)).to.deep.equal(['the service could not start', 'the port is in use']);
  });

  it('exits with 1 if the start does not end within the limit of a stop', async () => {
    const { code, lines } = await play('neverStarts', { signal: 'SIGTERM' });
    expect(code).to.equal(1);
    expect(messagesOf(lines)).to.deep.equal(['did not stop within 500 ms']);
  });

  it('exits with 1 and the plain reason if a dependency is unavailable', async () => {
    const { code, lines, stderr } = await play('cannotReach');
    expect({ code, stderr }).to.deep.equal({ code: 1, stderr: '' });
    expect(messagesOf(lines)).to.deep.equal(['MongoDB: gave up after 60 s: connection refused']);
    expect(JSON.stringify(lines)).not.to.match(/\bat .*:\d+:\d+/);
  });

  it('exits with 1 and the error if the start fails', async () => {
    const { code, lines } = await play('cannotStart');
    expect(code).to.equal(1);
    expect(messagesOf(lines)).to.deep.equal(['the service could not start', 'not a function']);
  });

  it('exits with 1 when it calls fail', async () => {
    const { code, lines } = await play('givesUp');
    expect(code).to.equal(1);
    expect(messagesOf(lines)).to.deep.equal(['a consumer stopped permanently', 'the group is gone']);
  });

  it('exits with 1 if the stop fails', async () => {
    const { code, lines } = await play('cannotStop', { signal: 'SIGTERM' });
    expect(code).to.equal(1);
    expect(messagesOf(lines)).to.deep.equal([
      'an unexpected rejection ended the process',
      'the database is gone',
    ]);
  });

  it('exits with 1 after an unexpected error', async () => {
    const [thrown, rejected] = await Promise.all([play('throwsLater'), play('rejectsLater')]);
    expect([thrown.code, rejected.code]).to.deep.equal([1, 1]);
    expect(messagesOf(thrown.lines)).to.deep.equal([
      'an unexpected error ended the process',
      'an unexpected exception',
    ]);
    expect(messagesOf(rejected.lines)).to.deep.equal([
      'an unexpected rejection ended the process',
      'an unexpected rejection',
    ]);
  });
});

describe('runJob', () => {
  it('exits with 0 only if all of the job succeeded', async () => {
    const [succeeds, fails] = await Promise.all([play('jobSucceeds'), play('jobFails')]);
    expect([succeeds.code, fails.code]).to.deep.equal([0, 1]);
  });

  it('exits with 1 and the plain reason if a dependency is unavailable', async () => {
    const { code, lines } = await play('jobCannotReach');
    expect(code).to.equal(1);
    expect(messagesOf(lines)).to.deep.equal(['Kafka: gave up after 60 s: connection refused']);
  });

  it('exits with 1 and the error if it throws', async () => {
    const { code, lines } = await play('jobBreaks');
    expect(code).to.equal(1);
    expect(messagesOf(lines)).to.deep.equal(['the job failed', 'not a function']);
  });

  it('exits even if resources are still open', async () => {
    expect((await play('jobLeavesSomethingOpen')).code).to.equal(0);
  });

  it('prints configuration problems like a service', async () => {
    const { code, stderr } = await play('jobSucceeds', { env: {} });
    expect(code).to.equal(1);
    expect(stderr).to.match(/NEEDED is missing/);
  });
});

describe('log of a process', () => {
  it('redacts secrets and nothing else', async () => {
    const { lines } = await play('logsSecrets');
    const text = JSON.stringify(lines);
    expect(text).not.to.include('hunter2');
    expect(text.match(/\[redacted\]/g)).to.have.length(18);
    expect(text.match(/"user":"ada"/g)).to.have.length(3);
  });

  it('consists of JSON lines with service and time', async () => {
    const { lines } = await play('jobBreaks');
    expect(lines).to.have.length(1);
    expect(lines[0]).to.have.property('service', 'under-test');
    expect(lines[0])
      .to.have.property('time')
      .that.matches(/^\d{4}-\d\d-\d\dT.*Z$/);
  });

  it('omits lines below the configured level', async () => {
    const { lines } = await play('logsSecrets', { env: { NEEDED: 'x', LOG_LEVEL: 'warn' } });
    expect(lines).to.deep.equal([]);
  });
});
