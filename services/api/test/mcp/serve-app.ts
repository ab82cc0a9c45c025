import { SECRETS, type TestApp, testApp } from '../http/test-app.js';
import { type Assistant, assistant } from './mcp-client.js';

interface ServedApp {
  app: TestApp;
  /** Has the admin token. */
  admin: Assistant;
}

/** Serves the app, and an assistant that is connected to it, to the tests of a suite. */
export function serveApp(): Readonly<ServedApp> {
  const served = {} as ServedApp;
  before(async () => {
    served.app = await testApp();
    served.admin = await assistant(served.app.origin, SECRETS.admin);
  });
  beforeEach(() => served.app.reset());
  after(async () => {
    await served.admin?.close();
    await served.app?.close();
  });
  return served;
}
