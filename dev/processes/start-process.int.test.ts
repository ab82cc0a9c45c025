import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startProcess } from './start-process.js';

describe('a process that ends before it is ready', () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'postrider-test-'));
  });

  afterEach(() => rmSync(directory, { recursive: true }));

  // Regression: the frames displaced the message, so that a stack whose port was taken did not try others.
  it('is reported with the end of its log, without the frames of Java', async () => {
    const frames = Array.from(
      { length: 40 },
      (_, line) => `\tat org.example.Server.bind(Server.java:${line})`,
    );
    const lines = ['starting', 'java.net.BindException: Address already in use', ...frames, '\t... 6 more'];
    const logFile = join(directory, 'server.log');
    const program = `console.log(${JSON.stringify(lines.join('\n'))}); process.exit(1);`;
    const { ready } = await startProcess({
      name: 'server',
      command: process.execPath,
      args: ['--eval', program],
      logFile,
      untilReady: () => new Promise(() => {}),
    });
    const error = await ready.catch((reason: Error) => reason);
    expect((error as Error).message.split('\n')).to.deep.equal([
      `server ended before it was ready (exit code 1); ${logFile} ends with`,
      '  starting',
      '  java.net.BindException: Address already in use',
    ]);
  });
});
