import { expect } from 'chai';
import { MongoNetworkError } from 'mongodb';
import { createEnableReport, type ReportOptions } from '../../src/admin/enable-report.js';
import { handleEach } from '../../src/admin/handle-each.js';

/** Handles endpoints; those in `failures` fail with these errors. */
async function run(
  endpointIds: readonly string[],
  failures: Readonly<Record<string, Error>>,
  options: ReportOptions = {},
) {
  const out: string[] = [];
  const err: string[] = [];
  const terminal = {
    print: (line: string) => void out.push(line),
    printError: (line: string) => void err.push(line),
  };
  /** What was printed when each endpoint was handled. */
  const printedBefore: (readonly string[])[] = [];
  async function* ids() {
    yield* endpointIds;
  }
  const result = await handleEach({
    endpointIds: ids(),
    async handle(endpointId) {
      printedBefore.push([...out]);
      const failure = failures[endpointId];
      if (failure !== undefined) throw failure;
      return { endpointId, workspaceId: 'ws', origin: 'https://a.example' };
    },
    report: createEnableReport(terminal, options),
    add: () => {},
  }).catch((error: unknown) => error);
  return { result, out, err, printedBefore };
}

const DAMAGED = new TypeError('enabledAt.getTime is not a function');
const AWAY = new MongoNetworkError('connection closed');

describe('handling of disabled endpoints', () => {
  it('prints each once it is enabled, and continues after one that fails', async () => {
    const { result, out, err, printedBefore } = await run(['a', 'b', 'c'], { b: DAMAGED });
    expect(out).to.deep.equal(['a ws https://a.example', 'c ws https://a.example']);
    expect(printedBefore).to.deep.equal([[], out.slice(0, 1), out.slice(0, 1)]);
    expect(err).to.deep.equal([`b stays disabled: ${DAMAGED.message}`, '2 endpoints were enabled.']);
    expect(result).to.equal(1);
  });

  it('ends without a database, and reports what was enabled before', async () => {
    const { result, out, err, printedBefore } = await run(['a', 'b', 'c'], { b: AWAY });
    expect(result).to.equal(AWAY);
    expect(out).to.deep.equal(['a ws https://a.example']);
    expect(err).to.deep.equal(['1 endpoint was enabled.']);
    expect(printedBefore).to.have.length(2);
  });

  it('reports what was enabled and what failed as one JSON object, also without a database', async () => {
    const { out, err } = await run(['a', 'b', 'c'], { b: DAMAGED, c: AWAY }, { json: true });
    expect(out).to.have.length(1);
    expect(JSON.parse(out.join())).to.deep.equal({
      dryRun: false,
      endpoints: [{ endpointId: 'a', workspaceId: 'ws', origin: 'https://a.example' }],
      failed: [{ endpointId: 'b', reason: DAMAGED.message }],
    });
    expect(err).to.deep.equal([]);
  });
});
