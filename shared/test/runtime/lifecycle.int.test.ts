import { expect } from 'chai';
import { type LogLine, play } from './play.js';

const FATAL = 60;

/** The one line that says why a process ended: a sentence, and the error, if it was unforeseen, apart from it. */
function lastWords(lines: readonly LogLine[]) {
  const fatal = lines.filter(({ level }) => level === FATAL);
  expect(fatal).to.have.length(1);
  const [{ event, msg, err }] = fatal as [LogLine];
  expect(event).to.equal('failed');
  return err === undefined ? [msg] : [msg, err.message];
}

describe('the life of a service process', () => {
  it('complains about its configuration on stderr, by name, and ends with 1', async () => {
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
    it(`stops on ${signal} and ends with 0`, async () => {
      const { code, lines, stderr } = await play('runs', { signal });
      expect(lines.map(({ event }) => event)).to.deep.equal(['ready', 'stopping', 'stopped']);
      expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    });
  }

  it('stops while it is still starting', async () => {
    expect((await play('neverStarts', { signal: 'SIGTERM' })).code).to.equal(0);
  });

  it('ends with 1 and the plain reason when something does not come up', async () => {
    const { code, lines, stderr } = await play('cannotReach');
    expect({ code, stderr }).to.deep.equal({ code: 1, stderr: '' });
    expect(lastWords(lines)).to.deep.equal(['MongoDB: gave up after 60 s: connection refused']);
    expect(JSON.stringify(lines)).not.to.match(/\bat .*:\d+:\d+/);
  });

  it('ends with 1 and the error when its start breaks', async () => {
    const { code, lines } = await play('cannotStart');
    expect(code).to.equal(1);
    expect(lastWords(lines)).to.deep.equal(['the service could not start', 'not a function']);
  });

  it('ends with 1 when it finds that it cannot go on', async () => {
    const { code, lines } = await play('givesUp');
    expect(code).to.equal(1);
    expect(lastWords(lines)).to.deep.equal(['a consumer stopped and cannot go on', 'the group is gone']);
  });

  it('ends with 1 when its stop fails', async () => {
    const { code, lines } = await play('cannotStop', { signal: 'SIGTERM' });
    expect(code).to.equal(1);
    expect(lastWords(lines)).to.deep.equal([
      'an unexpected rejection ended the process',
      'the database is gone',
    ]);
  });

  it('ends with 1 after an error that nobody expected', async () => {
    const [thrown, rejected] = await Promise.all([play('throwsLater'), play('rejectsLater')]);
    expect([thrown.code, rejected.code]).to.deep.equal([1, 1]);
    expect(lastWords(thrown.lines)).to.deep.equal([
      'an unexpected error ended the process',
      'nobody expected this',
    ]);
    expect(lastWords(rejected.lines)).to.deep.equal([
      'an unexpected rejection ended the process',
      'nobody awaited this',
    ]);
  });
});

describe('the life of a job process', () => {
  it('ends with 0 only when all of it succeeded', async () => {
    const [succeeds, fails] = await Promise.all([play('jobSucceeds'), play('jobFails')]);
    expect([succeeds.code, fails.code]).to.deep.equal([0, 1]);
  });

  it('ends with 1 and the plain reason when something does not come up', async () => {
    const { code, lines } = await play('jobCannotReach');
    expect(code).to.equal(1);
    expect(lastWords(lines)).to.deep.equal(['Kafka: gave up after 60 s: connection refused']);
  });

  it('ends with 1 and the error when it breaks', async () => {
    const { code, lines } = await play('jobBreaks');
    expect(code).to.equal(1);
    expect(lastWords(lines)).to.deep.equal(['the job failed', 'not a function']);
  });

  it('ends although it left something open', async () => {
    expect((await play('jobLeavesSomethingOpen')).code).to.equal(0);
  });

  it('complains about its configuration like a service', async () => {
    const { code, stderr } = await play('jobSucceeds', { env: {} });
    expect(code).to.equal(1);
    expect(stderr).to.match(/NEEDED is missing/);
  });
});

describe('the log of a process', () => {
  it('shows no secret, and all the rest', async () => {
    const { lines } = await play('logsSecrets');
    const text = JSON.stringify(lines);
    expect(text).not.to.include('hunter2');
    expect(text.match(/\[redacted\]/g)).to.have.length(18);
    expect(text.match(/"user":"ada"/g)).to.have.length(3);
  });

  it('says which service speaks, when, in JSON lines', async () => {
    const { lines } = await play('jobBreaks');
    expect(lines).to.have.length(1);
    expect(lines[0]).to.have.property('service', 'under-test');
    expect(lines[0])
      .to.have.property('time')
      .that.matches(/^\d{4}-\d\d-\d\dT.*Z$/);
  });

  it('leaves out what is below the configured level', async () => {
    const { lines } = await play('logsSecrets', { env: { NEEDED: 'x', LOG_LEVEL: 'warn' } });
    expect(lines).to.deep.equal([]);
  });
});
