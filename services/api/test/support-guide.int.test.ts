import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { toAttemptDocument, toDeliveryDocument } from '@postrider/shared/mongo/documents';
import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import type { ReplayJob } from '../src/contract/replay-job.js';
import type { Webhook } from '../src/contract/webhook.js';
import { type ApiWorld, apiWorld, newId } from './api-world.js';
import { refusedAttempt } from './attempt-row.js';
import { deliveryRow } from './delivery-row.js';
import { assistant } from './mcp/mcp-client.js';

const GUIDE = new URL('../../../../docs/support.md', import.meta.url);
const ORIGIN = 'https://postrider.example.com';
const HOUR_MS = 3_600_000;
/** A stream does not end, and is no tool: assistants list instead. */
const STREAMED = 'What is happening right now?';
const LAST = 'Can you send it again?';
/** Tools whose next answer differs: they change something, or show the time. */
const CHANGES = new Set(['create_replay_job', 'get_replay_job', 'get_delivery_stats']);
/** Fails for a refusal, and separates the answers. */
const CURL = `set -euo pipefail\ncurl() { command curl --fail-with-body -w '\\n' "$@"; }`;

interface Question {
  readonly title: string;
  readonly shell: string;
  readonly tools: readonly { readonly name: string; readonly input: Record<string, unknown> }[];
}

function questionsOf(guide: string): { readonly setUp: string; readonly questions: readonly Question[] } {
  const [head = '', ...sections] = guide.split(/^## /m);
  const shellOf = (text: string) => /```sh\n(.+?)```/s.exec(text)?.[1] ?? '';
  return {
    setUp: shellOf(head),
    questions: sections.map((text) => ({
      title: text.split('\n', 1)[0]!,
      shell: shellOf(text),
      tools: [...text.matchAll(/`(\w+) (\{[^`]*\})`/g)].map(([, name, input]) => {
        return { name: name!, input: JSON.parse(input!) };
      }),
    })),
  };
}

describe('docs/support.md', () => {
  let world: ApiWorld;
  let guide: ReturnType<typeof questionsOf>;
  before(async () => {
    world = await apiWorld();
    guide = questionsOf(await withOwnIds(await readFile(GUIDE, 'utf8')));
  });
  after(() => world?.destroy());

  /** The guide with the ids of stored resources and a recent time instead of its examples. */
  async function withOwnIds(text: string): Promise<string> {
    const admin = await world.as(['admin']);
    const hook = { url: 'https://hooks.example.com/postrider', eventTypes: ['billing.plan_changed'] };
    const endpointId = (await admin.request<Webhook>('/webhooks', { body: hook })).body.id;
    const { id: workspaceId } = world.workspace;
    const payload = { eventId: newId('event'), occurredAt: new Date().toISOString() };
    const row = deliveryRow({ workspaceId, endpointId, status: 'failed_permanent', payload });
    const { deliveries, attempts } = world.database.collections;
    await deliveries.insertOne(toDeliveryDocument(row));
    const attempt = refusedAttempt({ deliveryId: row.id, workspaceId, endpointId });
    await attempts.insertOne(toAttemptDocument(attempt));
    const since = new Date(Date.now() - HOUR_MS).toISOString();
    const counted = { createdAfter: since, dryRun: true };
    const { jobId } = (await admin.request<ReplayJob>('/webhooks/replay-jobs', { body: counted })).body;
    const ids = { evt: payload.eventId, whd: row.id, whe: endpointId, rpl: jobId };
    return text
      .replaceAll(ORIGIN, admin.origin)
      .replace(/\b(evt|whd|whe|rpl)_01[0-9a-z]{24}/g, (_, prefix: keyof typeof ids) => ids[prefix])
      .replace(/traceId(=|": ")[0-9a-f]{32}/g, (_, between: string) => `traceId${between}${row.traceId}`)
      .replace(/2026-\d\d-\d\dT00:00:00Z/g, since);
  }
  /** The answers to the calls of a question, in order. */
  async function ask({ shell }: Question, token: string): Promise<unknown[]> {
    const script = [CURL, guide.setUp, shell].join('\n');
    const env = { ...process.env, POSTRIDER_TOKEN: token };
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { env });
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  }

  it('answers each question by curl and by the tools, all but the last with the scope read', async () => {
    const [reader, writer] = [await world.as(['read']), await world.as(['write'])];
    expect(guide.questions.map(({ title }) => title)).to.include.members([STREAMED, LAST]);
    for (const question of guide.questions) {
      const { secret, origin } = question.title === LAST ? writer : reader;
      const answers = question.title === STREAMED ? [] : await ask(question, secret);
      expect(answers.length, question.title).to.be.within(question.title === STREAMED ? 0 : 1, 2);
      expect(question.tools, question.title).to.not.deep.equal([]);
      const client = await assistant(origin, secret);
      for (const [index, { name, input }] of question.tools.entries()) {
        const { result } = await client.use<object>(name, input);
        if (question.title === STREAMED) expect(result, name).to.have.property('items').with.length(1);
        else if (!CHANGES.has(name)) expect(result, name).to.deep.equal(answers[index]);
      }
      await client.close();
    }
  });

  it('finds the failed delivery, and sends it again once, however often it is followed', async () => {
    const { secret } = await world.as(['read', 'write']);
    const answersTo = (title: string) => ask(guide.questions.find((one) => one.title === title)!, secret);
    const answerTo = async (title: string) => (await answersTo(title))[0];
    const failed = (await answerTo('What has failed since yesterday?')) as { items: object[] };
    expect(failed.items).to.have.length(1);
    expect(failed.items[0]).to.include({ status: 'failed_permanent' });
    const traced = await answerTo('The customer quotes a trace id. What is it?');
    expect((traced as { items: object[] }).items).to.not.deep.equal([]);
    const attempts = (await answerTo('Why did this delivery fail?')) as { items: object[] };
    expect(attempts.items).to.have.length(1);
    for (let time = 0; time < 2; time += 1) {
      const { jobId } = (await answerTo(LAST)) as ReplayJob;
      const { replayJobs, deliveries } = world.database.collections;
      await eventually(async () =>
        expect(await replayJobs.findOne({ _id: jobId })).to.include({ status: 'succeeded' }),
      );
      expect(await deliveries.countDocuments({ replayedFrom: { $gt: '' } })).to.equal(1);
    }
  });
});
