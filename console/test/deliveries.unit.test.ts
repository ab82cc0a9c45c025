import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostriderError, type ProblemTag } from '@postrider/client';
import { expect } from 'chai';
import { phasesOf } from '../src/deliveries/attempt-phases.js';
import { curlCommand, hiddenHeaders } from '../src/deliveries/curl.js';
import { deliveryIdIn } from '../src/deliveries/delivery-filter.js';
import { failureText, reasonText } from '../src/deliveries/failure-text.js';
import { lacksAttempts } from '../src/deliveries/lacks-attempts.js';
import { replaySelected, type SelectionResult } from '../src/deliveries/replay-selected.js';
import { replaySetOf } from '../src/deliveries/replay-set.js';
import { tlsCommand } from '../src/deliveries/tls-command.js';
import { loadedOf } from '../src/deliveries/use-selection.js';
import { fromField, toField } from '../src/ui/field-time.js';
import { formatDuration } from '../src/ui/format-duration.js';
import { formatMs } from '../src/ui/format-ms.js';
import { jsonTokens } from '../src/ui/json-tokens.js';
import { showControls } from '../src/ui/show-controls.js';
import { withGiven } from '../src/ui/with-given.js';

describe('curl command of an attempt', () => {
  it('quotes every part, so that a payload cannot add a command', () => {
    const command = curlCommand({
      url: "https://example.com/'; rm -rf ~",
      headers: { 'webhook-id': 'whd_1', 'content-length': '9' },
      body: '{"a":"\'$(id)"}',
    });
    expect(command).to.equal(
      `printf %s '{"a":"'\\''$(id)"}' | \\\n  curl -X POST 'https://example.com/'\\''; rm -rf ~' \\\n  -H 'webhook-id: whd_1' \\\n  --data-binary @-`,
    );
  });

  it('sends any body, byte for byte: an argument of a program is limited to 128 KiB on Linux', function () {
    if (process.platform === 'win32') this.skip();
    const body = `{"text":"%s\\\\n'é${'x'.repeat(256 * 1_024)}"}`;
    const directory = mkdtempSync(join(tmpdir(), 'postrider-curl-'));
    try {
      writeFileSync(join(directory, 'curl'), '#!/bin/sh\nexec cat\n', { mode: 0o755 });
      const sent = execFileSync('sh', {
        input: curlCommand({ url: 'https://example.com/', headers: {}, body }),
        env: { ...process.env, PATH: `${directory}:${process.env.PATH}` },
        encoding: 'utf8',
      });
      expect(sent === body).to.equal(true);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it('leaves out headers whose values are not recorded, and names them', () => {
    const headers = { 'webhook-id': 'whd_1', authorization: '•••', 'x-team': '•••' };
    const command = curlCommand({ url: 'https://example.com/', headers, body: '{}' });
    expect(command).to.equal(
      `printf %s '{}' | \\\n  curl -X POST 'https://example.com/' \\\n  -H 'webhook-id: whd_1' \\\n  --data-binary @-`,
    );
    expect(hiddenHeaders(headers)).to.deep.equal(['authorization', 'x-team']);
  });
});

describe('command that checks a TLS connection', () => {
  it('names host and port, and quotes what a host may contain', () => {
    expect(tlsCommand('https://example.com/in')).to.equal(
      "openssl s_client -connect 'example.com:443' -servername 'example.com' </dev/null",
    );
    expect(tlsCommand("https://a'$(id).example.com:8443/")).to.include(
      "-connect 'a'\\''$(id).example.com:8443'",
    );
  });
});

describe('attempts that were read before their delivery', () => {
  const accepted = { failureReason: null, status: 'delivered' } as const;
  const retried = { failureReason: 'timeout', status: 'failed' } as const;
  const exhausted = { failureReason: 'retries_exhausted', status: 'dead_lettered' } as const;
  const cancelled = { failureReason: 'endpoint_disabled', status: 'failed_permanent' } as const;

  it('lack one, or the record that has ended the delivery', () => {
    expect(lacksAttempts({ attempts: 1, status: 'delivered' }, [])).to.equal(true);
    expect(lacksAttempts({ attempts: 2, status: 'failed' }, [retried])).to.equal(true);
    expect(lacksAttempts({ attempts: 1, status: 'dead_lettered' }, [retried])).to.equal(true);
    expect(lacksAttempts({ attempts: 0, status: 'failed_permanent' }, [])).to.equal(true);
    expect(lacksAttempts({ attempts: 1, status: 'failed' }, [cancelled])).to.equal(true);
  });

  it('lack nothing where all records are there, nor where they are newer', () => {
    expect(lacksAttempts({ attempts: 0, status: 'pending' }, [])).to.equal(false);
    expect(lacksAttempts({ attempts: 0, status: 'pending' }, [accepted])).to.equal(false);
    expect(lacksAttempts({ attempts: 1, status: 'failed' }, [retried])).to.equal(false);
    expect(lacksAttempts({ attempts: 2, status: 'delivered' }, [retried, accepted])).to.equal(false);
    expect(lacksAttempts({ attempts: 1, status: 'dead_lettered' }, [retried, exhausted])).to.equal(false);
    expect(lacksAttempts({ attempts: 0, status: 'failed_permanent' }, [cancelled])).to.equal(false);
  });
});

describe('text of a failure', () => {
  it('depends on the status of the response', () => {
    const textOf = (httpStatus: number) => failureText({ failureReason: 'http_status', httpStatus });
    const texts = [301, 308, 400, 401, 403, 404, 410, 413, 429, 500, 503].map(textOf);
    expect(new Set(texts).size).to.equal(7);
    expect(textOf(308)).to.include('redirect');
    const timedOut = failureText({ failureReason: 'timeout', httpStatus: 200 });
    expect(timedOut).to.equal('The receiver did not respond in time.');
  });

  it('says why there is no TLS connection, also when the retries are exhausted', () => {
    const failed = { failureReason: 'tls', httpStatus: null } as const;
    expect(failureText({ ...failed, errorDetail: 'expired' })).to.include('has expired');
    expect(failureText({ ...failed, errorDetail: null })).to.include('was not accepted');
    const at = { ordinal: 7, responseBody: null, attemptedAt: '2026-03-01T09:30:00.000Z', durationMs: 12 };
    const lastAttempt = { ...at, ...failed, errorDetail: 'not_tls' } as const;
    expect(reasonText({ failureReason: 'retries_exhausted', lastAttempt })).to.match(
      /^All retries failed\. Last: .* the port does not use TLS/,
    );
    expect(reasonText({ failureReason: 'tls', lastAttempt })).to.match(
      /^No TLS .* the port does not use TLS/,
    );
  });

  it('has what the last attempt failed with, also where the endpoint was disabled before the next one', () => {
    const at = { ordinal: 5, responseBody: null, attemptedAt: '2026-03-01T09:30:00.000Z', durationMs: 12 };
    const lastAttempt = { ...at, failureReason: 'http_status', httpStatus: 500, errorDetail: null } as const;
    expect(reasonText({ failureReason: 'endpoint_disabled', lastAttempt })).to.match(
      /^The endpoint was disabled\. Last: The receiver had an internal error/,
    );
    expect(reasonText({ failureReason: 'endpoint_disabled', lastAttempt: null })).to.equal(
      'The endpoint was disabled.',
    );
  });
});

describe('phases of an attempt', () => {
  it('follow each other on the scale of the longest attempt', () => {
    expect(phasesOf({ connectMs: 10, headersMs: 30, bodyMs: 10 }, 100)).to.deep.equal([
      { name: 'connect', ms: 10, from: 0, width: 10 },
      { name: 'headers', ms: 30, from: 10, width: 30 },
      { name: 'body', ms: 10, from: 40, width: 10 },
    ]);
  });

  it('end where the attempt ended', () => {
    const phases = phasesOf({ connectMs: 10, headersMs: null, bodyMs: null }, 10);
    expect(phases.map(({ name }) => name)).to.deep.equal(['connect']);
  });
});

describe('replay of selected deliveries', () => {
  const refusal = (status: number, tag: ProblemTag = 'EndpointDisabled') =>
    new PostriderError({
      type: 'urn:x',
      title: 'x',
      status,
      detail: 'x',
      tag,
      traceId: 'x',
    });

  it('continues after a refusal, oldest first, and counts both', async () => {
    const asked: string[] = [];
    const reports: SelectionResult[] = [];
    const replay = async (id: string) => {
      asked.push(id);
      if (id === 'whd_1') throw refusal(409);
    };
    await replaySelected(['whd_2', 'whd_1'], replay, (result) => reports.push(result));
    expect(asked).to.deep.equal(['whd_1', 'whd_2']);
    expect(reports.at(-1)).to.deep.equal({ replayed: 1, refused: { EndpointDisabled: 1 } });
  });

  it('continues after a delivery whose history has expired', async () => {
    const handledIds: string[] = [];
    const reports: SelectionResult[] = [];
    const replay = async (id: string) => {
      if (id === 'whd_1') throw refusal(404, 'DeliveryNotFound');
    };
    await replaySelected(['whd_1', 'whd_2'], replay, (result, id) => {
      reports.push(result);
      handledIds.push(id);
    });
    expect(handledIds).to.deep.equal(['whd_1', 'whd_2']);
    expect(reports.at(-1)).to.deep.equal({ replayed: 1, refused: { DeliveryNotFound: 1 } });
  });

  it('stops at an error that concerns all of them, and reports only what was handled', async () => {
    const asked: string[] = [];
    const handledIds: string[] = [];
    const replay = async (id: string) => {
      asked.push(id);
      if (id === 'whd_2') throw refusal(401);
    };
    const run = replaySelected(['whd_1', 'whd_2', 'whd_3'], replay, (_, id) => handledIds.push(id));
    expect(await run.catch((caught) => caught)).to.be.instanceOf(PostriderError);
    expect(asked).to.deep.equal(['whd_1', 'whd_2']);
    expect(handledIds).to.deep.equal(['whd_1']);
  });
});

describe('selected deliveries', () => {
  // Regression: a row that the list had no more was replayed with the others.
  it('are among those that are loaded', () => {
    const selected = new Set(['a', 'b']);
    expect([...loadedOf(selected, new Set(['b', 'c']))]).to.deep.equal(['b']);
    expect(loadedOf(selected, new Set(['a', 'b', 'c']))).to.equal(selected);
  });
});

describe('set of deliveries for a replay job', () => {
  it('is offered only for what a job can be limited to', () => {
    expect(replaySetOf({})).to.deep.equal({ status: 'failed_permanent,dead_lettered,failed' });
    const filter = { endpointId: 'whe_1', failureReason: 'dns', status: 'failed' };
    expect(replaySetOf(filter)).to.deep.equal(filter);
    for (const name of ['eventId', 'traceId', 'httpStatus'] as const)
      expect(replaySetOf({ [name]: '1' }), name).to.equal(null);
    expect(replaySetOf({ status: 'delivered' })).to.equal(null);
  });
});

describe('id in the filter of deliveries', () => {
  it('is that of an event, or of a delivery, which has a page of its own', () => {
    expect(deliveryIdIn({ eventId: 'whd_1', status: 'failed' })).to.equal('whd_1');
    for (const filter of [{ eventId: 'evt_1' }, { traceId: 'whd_1' }, {}])
      expect(deliveryIdIn(filter)).to.equal(null);
  });
});

describe('choice with a value of the address', () => {
  const known = [
    { value: 'failed', label: 'Retrying' },
    { value: 'failed_permanent', label: 'Failed' },
  ];

  it('names each of several values as the choice does, and keeps unknown ones', () => {
    expect(withGiven('failed,failed_permanent,lost', known).at(-1)).to.deep.equal({
      value: 'failed,failed_permanent,lost',
      label: 'Retrying, Failed, lost',
    });
    expect(withGiven('failed', known)).to.equal(known);
  });
});

describe('formats of the console', () => {
  it('shows durations in the unit that reads well', () => {
    expect([0.42, 9.96, 21, 999.7, 1_234, 9_999, 10_000, 15_000].map(formatMs)).to.deep.equal([
      '0.4 ms',
      '10 ms',
      '21 ms',
      '1.00 s',
      '1.23 s',
      '10.0 s',
      '10.0 s',
      '15.0 s',
    ]);
    expect([0, 61_000, 7_500_000].map(formatDuration)).to.deep.equal(['0 s', '1 min 1 s', '2 h 5 min']);
  });

  it('shows control characters, and leaves all that is seen as it is', () => {
    expect(showControls('a\u202eb\u0000c\u2066\rd\ufeff')).to.equal(
      'a\\u202eb\\u0000c\\u2066\\u000dd\\ufeff',
    );
    const text = 'שלום 👩‍👩‍👧‍👦\tx\r\ny\n';
    expect(showControls(text)).to.equal(text);
    const value = { note: 'a\u202eb' };
    expect(JSON.parse(showControls(JSON.stringify(value)))).to.deep.equal(value);
  });

  it('splits JSON into tokens that are the text again', () => {
    const text = JSON.stringify({ 'a"b': ['<b>', -1.5e3, true, null], c: '‮שלום 👍' }, null, 2);
    const tokens = jsonTokens(text);
    expect(tokens.map((token) => token.text).join('')).to.equal(text);
    expect(tokens.filter(({ kind }) => kind === 'key').map((token) => token.text)).to.deep.equal([
      '"a\\"b"',
      '"c"',
    ]);
    expect(tokens.filter(({ kind }) => kind === 'literal')).to.have.length(2);
  });

  it('keeps a time exactly over a field in either zone, in the shortest form', () => {
    for (const zone of ['local', 'utc'] as const)
      for (const at of ['2026-03-01T09:30:00.000Z', '2026-03-01T09:30:05.000Z', '2026-03-01T10:00:59.123Z'])
        expect(fromField(toField(at, zone), zone)).to.equal(at);
    expect(toField('2026-03-01T09:30:00.000Z', 'utc')).to.equal('2026-03-01T09:30');
    expect(toField('2026-03-01T09:30:05Z', 'utc')).to.equal('2026-03-01T09:30:05');
    expect(['soon', ''].map((text) => toField(text, 'local'))).to.deep.equal(['', '']);
    expect(fromField('', 'utc')).to.equal('');
  });
});
