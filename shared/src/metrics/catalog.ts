import { BATCH, counter, gauge, histogram, LATENCY_S, LATENESS_S } from './declare.js';

const RUNNING = ['api', 'dispatcher', 'dlq-consumer'] as const;
const CONSUMING = ['dispatcher', 'dlq-consumer'] as const;
const DISPATCHER = ['dispatcher'] as const;
const API = ['api'] as const;
const JANITOR = ['janitor'] as const;

/** Metrics of every process. */
const PLATFORM = {
  postrider_build_info: gauge({
    help: 'Always 1; the running version as a label',
    from: [...RUNNING, 'janitor'],
    labels: ['service', 'version'],
  }),
  postrider_clock_offset_seconds: gauge({
    help: "How far the machine's clock is behind the database's",
    from: RUNNING,
  }),
  postrider_feature_level: gauge({
    help: 'Feature level of the installation as the process knows it',
    from: RUNNING,
  }),
  postrider_outbox_waiting: gauge({ help: 'Outbox records waiting to be published', from: RUNNING }),
  postrider_outbox_overdue_seconds: gauge({
    help: 'Time since the oldest overdue outbox record should have been published by its writer',
    from: RUNNING,
  }),
  postrider_outbox_set_aside: gauge({
    help: 'Outbox records that the broker rejected and that an operator must check',
    from: RUNNING,
  }),
  postrider_outcomes_total: counter({
    help: 'Outcomes of deliveries for webhook.outcomes: published, or dropped because the broker was slow or unavailable',
    from: RUNNING,
    labels: ['result'],
  }),
  postrider_stats_hours_total: counter({
    help: 'Hours of endpoints and workspaces whose counts of deliveries were stored, or lost until the janitor recounts',
    from: RUNNING,
    labels: ['result'],
  }),
  postrider_consumer_lag: gauge({
    help: 'Messages between the committed offsets of a group and the end of a topic; in retry topics they wait by design',
    from: CONSUMING,
    labels: ['group', 'topic'],
  }),
  postrider_consumer_heartbeat_age_seconds: gauge({
    help: "Time since the last heartbeat of a group's consumer",
    from: CONSUMING,
    labels: ['group'],
  }),
  postrider_quarantined_total: counter({
    help: 'Messages sent to quarantine, by source topic',
    from: CONSUMING,
    labels: ['topic'],
  }),
} as const;

/** Metrics of deliveries: results, durations and delays. */
const DELIVERIES = {
  postrider_oldest_due_seconds: gauge({
    help: 'Lateness of the row that has been due longest; 0 if none is due',
    from: DISPATCHER,
  }),
  postrider_overdue_endpoints: gauge({ help: 'Endpoints with a due row', from: DISPATCHER }),
  postrider_attempts_total: counter({
    help: 'Recorded attempts, by outcome: delivered or the failure reason',
    from: DISPATCHER,
    labels: ['outcome'],
  }),
  postrider_post_duration_seconds: histogram({
    help: 'Duration of POSTs, from the name lookup to the end of the response',
    from: DISPATCHER,
    labels: ['verdict'],
    buckets: LATENCY_S,
  }),
  postrider_delivery_wait_seconds: histogram({
    help: 'Time from the due time of a delivery to the start of its POST',
    from: DISPATCHER,
    buckets: LATENESS_S,
  }),
  postrider_retries_total: counter({
    help: 'Deliveries sent to a retry tier',
    from: DISPATCHER,
    labels: ['tier'],
  }),
  postrider_dead_letters_total: counter({
    help: 'Deliveries sent to the dead-letter topic; repeated sends count again',
    from: DISPATCHER,
  }),
  postrider_closed_deliveries_total: counter({
    help: 'Deliveries that ended unsent because their endpoint was disabled or deleted',
    from: DISPATCHER,
  }),
  postrider_endpoints_disabled_total: counter({
    help: 'Endpoints disabled after too many consecutive failures',
    from: DISPATCHER,
  }),
  postrider_endpoint_failures: gauge({
    help: 'Failed attempts in the last five to ten minutes, for the 20 endpoints with most failures',
    from: DISPATCHER,
    labels: ['endpoint'],
  }),
  postrider_fan_out_events_total: counter({ help: 'Events fanned out', from: DISPATCHER }),
  postrider_fan_out_deliveries_total: counter({ help: 'Rows requested by fan-out', from: DISPATCHER }),
  postrider_fan_out_duration_seconds: histogram({
    help: 'Time from reading an event until all its deliveries are handed over or their messages published',
    from: DISPATCHER,
    buckets: LATENCY_S,
  }),
  postrider_fan_out_oldest_seconds: gauge({
    help: 'Time for which the oldest open event of a partition has been the oldest, of the partition where that is longest; 0 without open events',
    from: DISPATCHER,
  }),
} as const;

/** Metrics of the egress. */
const EGRESS = {
  postrider_postponed_attempts_total: counter({
    help: 'Attempts that were not sent and are tried again later, by cause; nothing is counted for their endpoints',
    from: DISPATCHER,
    labels: ['cause'],
  }),
  postrider_look_ups_total: counter({
    help: 'Name lookups by result; stale counts uses of addresses whose time to live has passed',
    from: DISPATCHER,
    labels: ['result'],
  }),
  postrider_sending_held: gauge({
    help: 'Whether sending is held, by cause: 1 while most receivers are unreachable at once, or a clock is wrong',
    from: DISPATCHER,
    labels: ['cause'],
  }),
  postrider_outage_guard_withheld: gauge({
    help: 'Failed attempts that wait to be judged before they are recorded',
    from: DISPATCHER,
  }),
  postrider_outage_guard_holds: gauge({
    help: 'How often the outage guard of the process has held sending',
    from: DISPATCHER,
  }),
  postrider_outage_guard_discarded: gauge({
    help: 'Failed attempts that the process has not recorded: of an outage, or while enough others were waiting to be judged',
    from: DISPATCHER,
  }),
  postrider_resent_posts_total: counter({
    help: 'POSTs that were sent again at once because the receiver had closed the reused connection',
    from: DISPATCHER,
  }),
} as const;

/** Metrics of the delivery engine's internals. */
const ENGINE = {
  postrider_in_flight: gauge({ help: 'POSTs in flight', from: DISPATCHER }),
  postrider_prompt_posts: gauge({
    help: 'POSTs in flight for less than a second, or 250 ms to endpoints that are not known to answer, at most MAX_IN_FLIGHT',
    from: DISPATCHER,
  }),
  postrider_probation_posts: gauge({
    help: 'Prompt POSTs to endpoints that are not known to answer, at most half of MAX_IN_FLIGHT',
    from: DISPATCHER,
  }),
  postrider_lingering_posts: gauge({
    help: 'POSTs in flight for longer, or to endpoints that did not answer in time before; above MAX_LINGERING such endpoints get no more',
    from: DISPATCHER,
  }),
  postrider_post_bytes: gauge({
    help: 'Size of the rows of POSTs in flight; up to 16 MiB, half of it of one workspace, and 24 MiB more of workspaces that use little',
    from: DISPATCHER,
  }),
  postrider_blocked_endpoints: gauge({
    help: 'Endpoints that wait because too many POSTs to their host linger or have no answer yet',
    from: DISPATCHER,
  }),
  postrider_jobs: gauge({ help: 'Jobs in memory: waiting, queued or running', from: DISPATCHER }),
  postrider_jobs_free: gauge({
    help: 'Jobs that may be added before everything else stays in its rows, at most MAX_JOBS',
    from: DISPATCHER,
  }),
  postrider_jobs_waiting: gauge({ help: 'Jobs in memory that are not due yet', from: DISPATCHER }),
  postrider_unsettled: gauge({
    help: 'Observations that are not yet stored',
    from: DISPATCHER,
  }),
  postrider_parked_endpoints: gauge({
    help: 'Endpoints whose backlog is read from their rows instead of memory',
    from: DISPATCHER,
  }),
  postrider_assigned_partitions: gauge({ help: 'Assigned partition indices', from: DISPATCHER }),
  postrider_open_offsets: gauge({
    help: 'Offsets in progress',
    from: DISPATCHER,
    labels: ['topic'],
  }),
  postrider_paused_partitions: gauge({
    help: 'Partitions paused because too many of their offsets are in progress',
    from: DISPATCHER,
    labels: ['topic'],
  }),
  postrider_settle_batch_size: histogram({
    help: 'Observations in one group commit',
    from: DISPATCHER,
    buckets: BATCH,
  }),
  postrider_settle_duration_seconds: histogram({
    help: 'Duration of group commits',
    from: DISPATCHER,
    buckets: LATENCY_S,
  }),
  postrider_settle_failures_total: counter({
    help: 'Group commits that failed and are retried',
    from: DISPATCHER,
  }),
  postrider_settle_poisoned_total: counter({
    help: 'Attempts that could not be recorded although others could, at each try',
    from: DISPATCHER,
  }),
  postrider_unlogged_failures_total: counter({
    help: 'Failed attempts without a log line, because more failed than LOG_FAILED_PER_SECOND',
    from: DISPATCHER,
  }),
  postrider_stale_observations_total: counter({
    help: 'Duplicate or late observations that changed nothing',
    from: DISPATCHER,
  }),
  postrider_read_batch_size: histogram({ help: 'Rows in one read', from: DISPATCHER, buckets: BATCH }),
  postrider_read_duration_seconds: histogram({
    help: 'Duration of reads of rows and endpoints',
    from: DISPATCHER,
    buckets: LATENCY_S,
  }),
} as const;

const DEAD_LETTERS = {
  postrider_dead_letters_handled_total: counter({
    help: 'Dead letters handled: ended, skipped because the delivery had ended or has attempts left, or poisoned',
    from: ['dlq-consumer'],
    labels: ['result'],
  }),
} as const;

const REQUESTS = {
  postrider_http_requests_total: counter({
    help: 'Requests, by operation and status; the status is "gone" if the client disconnected',
    from: API,
    labels: ['operation', 'status'],
  }),
  postrider_http_request_duration_seconds: histogram({
    help: 'Duration of requests, by operation',
    from: API,
    labels: ['operation'],
    buckets: LATENCY_S,
  }),
  postrider_request_body_bytes: gauge({
    help: 'Memory reserved for the bodies of requests in progress, with an estimate for the values in them; at 72 MiB, or 24 MiB of a workspace, more of those that use over 384 KiB get 503, at 96 MiB all',
    from: API,
  }),
  postrider_request_bodies_refused_total: counter({
    help: 'Requests refused with 503 because too many bodies are in progress',
    from: API,
  }),
  postrider_answer_bytes: gauge({
    help: 'Answers of more than 128 KiB that clients have not taken yet; at 48 MiB, or 16 MiB of a workspace, more of those that use over 256 KiB get 503, at 64 MiB all',
    from: API,
  }),
  postrider_answers_refused_total: counter({
    help: 'Requests refused with 503 because too many large answers have not been taken',
    from: API,
  }),
  postrider_streams: gauge({ help: 'Open streams that are given new records', from: API }),
  postrider_stream_events_total: counter({ help: 'Events written to streams', from: API }),
  postrider_streams_ended_total: counter({
    help: 'Streams that ended: by their client, a slow reader, the end of its token, or a shutdown',
    from: API,
    labels: ['reason'],
  }),
  postrider_access_tokens_refused_total: counter({
    help: 'Access tokens that /mcp refused, by reason; keys_unavailable are answered with 503',
    from: API,
    labels: ['reason'],
  }),
  postrider_rate_limited_total: counter({
    help: 'Requests rejected by a rate limit',
    from: API,
    labels: ['bucket'],
  }),
} as const;

/** The jobs belong to the whole installation, their rows to the process that handled them. */
const REPLAY_JOBS = {
  postrider_replay_jobs: gauge({
    help: 'Active replay jobs: running, paused while sending is held, resting until late rows may have arrived, or waiting for a process',
    from: API,
    labels: ['state'],
  }),
  postrider_replay_job_oldest_seconds: gauge({
    help: 'Time since the creation of the oldest replay job that is running or waiting; 0 if there is none',
    from: API,
  }),
  postrider_replay_job_rows_total: counter({
    help: 'Matched deliveries that replay jobs handled: replayed, or skipped with the reason',
    from: API,
    labels: ['result'],
  }),
} as const;

/** The janitor rarely runs during a scrape, so it stores its runs and the api exports them. */
const HOUSEKEEPING = {
  postrider_janitor_last_success_timestamp_seconds: gauge({
    help: 'When a task of the janitor last succeeded',
    from: API,
    labels: ['task'],
  }),
  postrider_janitor_unfinished_since_timestamp_seconds: gauge({
    help: 'Since when no run of a janitor task has had time for everything; absent if the last successful one had',
    from: API,
    labels: ['task'],
  }),
  postrider_janitor_last_run_timestamp_seconds: gauge({
    help: 'When a run of a janitor task last ended, successfully or not',
    from: API,
    labels: ['task'],
  }),
  postrider_janitor_last_run_duration_seconds: gauge({
    help: "Duration of a task's last run",
    from: API,
    labels: ['task'],
  }),
  postrider_janitor_last_run_handled: gauge({
    help: "Items removed or sent by a task's last successful run",
    from: API,
    labels: ['task'],
  }),
  postrider_oldest_delivery_timestamp_seconds: gauge({
    help: 'Creation time of the oldest delivery that no cleanup has examined',
    from: API,
  }),
  postrider_janitor_retention_seconds: gauge({
    help: "Retention of deliveries in the janitor's last run",
    from: API,
  }),
  postrider_janitor_handled: gauge({
    help: 'Items removed or sent by a finished task of this run',
    from: JANITOR,
    labels: ['task'],
  }),
} as const;

/**
 * The declarations of all metrics. Tests compare the guide, the alerts and the dashboards with them.
 */
export const METRICS = {
  ...PLATFORM,
  ...DELIVERIES,
  ...EGRESS,
  ...ENGINE,
  ...DEAD_LETTERS,
  ...REQUESTS,
  ...REPLAY_JOBS,
  ...HOUSEKEEPING,
} as const;

export type MetricName = keyof typeof METRICS;
