import type { GetPromptResult, Prompt } from '@modelcontextprotocol/sdk/types.js';
import { UNTRUSTED } from './untrusted.js';

/** A question of support, with the tools that answer it. */
interface Question {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly Argument[];
  readonly text: (given: Given) => string;
}

interface Argument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}

type Given = Readonly<Record<string, string>>;

const EVENT_ID = { name: 'eventId', description: 'The id of the event, evt_…', required: true };
const DELIVERY_ID = { name: 'deliveryId', description: 'The id of the delivery, whd_…', required: true };
const TRACE_ID = { name: 'traceId', description: 'The x-trace-id that the customer quotes', required: true };
const SINCE = { name: 'since', description: 'A time like 2026-03-01T00:00:00Z', required: true };
const ENDPOINT_ID = {
  name: 'endpointId',
  description: 'The id of the endpoint, whe_…; all endpoints without it',
  required: false,
};

const ofEndpoint = ({ endpointId }: Given) =>
  endpointId === undefined ? '' : ` with endpointId ${endpointId}`;

/** The questions of docs/support.md. */
const QUESTIONS: readonly Question[] = [
  {
    name: 'did_the_customer_get_this_event',
    title: 'Did the customer get this event?',
    description: 'What became of one event at each endpoint',
    arguments: [EVENT_ID],
    text: ({ eventId }) =>
      `Did the customer get the event ${eventId}? Call explain_event, page by page. Say for each endpoint ` +
      `whether the event arrived, and if not, why and what to do next.`,
  },
  {
    name: 'why_did_this_delivery_fail',
    title: 'Why did this delivery fail?',
    description: 'The attempts of one delivery, and the likely cause',
    arguments: [DELIVERY_ID],
    text: ({ deliveryId }) =>
      `Why did the delivery ${deliveryId} fail? Call get_webhook_delivery and list_webhook_delivery_attempts. A phase ` +
      `of the timings that is null was not reached. Name the likely cause, whose side it is on, and the next step.`,
  },
  {
    name: 'what_belongs_to_this_trace',
    title: 'What belongs to this trace id?',
    description: 'Every delivery that one request caused',
    arguments: [TRACE_ID],
    text: ({ traceId }) =>
      `Which deliveries did the request with the trace id ${traceId} cause? Call list_deliveries with traceId, ` +
      `page by page, and say how each ended.`,
  },
  {
    name: 'what_failed_since',
    title: 'What has failed since then?',
    description: 'Failed deliveries since a time, grouped by cause',
    arguments: [SINCE, ENDPOINT_ID],
    text: (given) =>
      `What has failed since ${given.since}? Call list_deliveries with status failed_permanent,dead_lettered and ` +
      `createdAfter ${given.since}${ofEndpoint(given)}, page by page. Group by endpoint and the ` +
      `failureReason and httpStatus of lastAttempt, and say which groups need attention.`,
  },
  {
    name: 'send_it_again',
    title: 'Send what failed again',
    description: 'Count first, then replay failed deliveries with one job',
    arguments: [SINCE, ENDPOINT_ID],
    text: (given) =>
      `Send what has failed since ${given.since} again. Call create_replay_job with createdAfter ${given.since} and ` +
      `dryRun true${ofEndpoint(given)}, and ask me to confirm the count: ` +
      `matched minus all skipped. Then create the job without dryRun and with ` +
      `an idempotencyKey, follow it with get_replay_job, and report what was skipped and why.`,
  },
];

/** The prompts as they are listed. */
export function listPrompts(): Prompt[] {
  return QUESTIONS.map(({ text: _, arguments: needed, ...prompt }) => ({
    ...prompt,
    arguments: [...needed],
  }));
}

/** Null for a prompt that does not exist. */
export function findPrompt(name: string): Question | null {
  return QUESTIONS.find((question) => question.name === name) ?? null;
}

/** The names of required arguments that are missing or not strings. */
export function missingArguments(question: Question, args: Readonly<Record<string, unknown>>): string[] {
  return question.arguments
    .filter(({ name, required }) => (args[name] === undefined ? required : typeof args[name] !== 'string'))
    .map(({ name }) => name);
}

export function renderPrompt(question: Question, given: Given): GetPromptResult {
  const text = `${question.text(given)} ${UNTRUSTED} Answer in plain words for support staff.`;
  return {
    description: question.description,
    messages: [{ role: 'user', content: { type: 'text', text } }],
  };
}
