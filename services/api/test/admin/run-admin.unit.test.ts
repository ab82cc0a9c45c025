import { expect } from 'chai';
import { runCommand } from './run-command.js';

describe('an admin command', () => {
  // Regression: logs of the init container "migrate" had the password of the registry's URL.
  it('prints no password of a URL in its messages', async () => {
    const url = 'https://ada:hunter2@127.0.0.1:1';
    for (const args of [
      ['self-test', '--api-url', url],
      ['migrate', `--registry=${url}`],
    ]) {
      const { code, err } = await runCommand(args, {});
      expect(code).to.equal(2);
      expect(err).to.include('https://ada:[redacted]@127.0.0.1:1').and.to.not.include('hunter2');
    }
  });
});
