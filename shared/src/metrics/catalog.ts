import { BATCH, counter, gauge, histogram, LATENCY_S, LATENESS_S } from './declare.js';

const RUNNING = ['api', 'dispatcher', 'dlq-consumer'] as const;
const CONSUMING = ['dispatcher', 'dlq-consumer'] as const;
const DISPATCHER = ['dispatcher'] as const;
const API = ['api'] as const;
const JANITOR = ['janitor'] as const;

/** Of every process, and of the system as every process sees it. */
const PLATFORM = {
  postrider_build_info: gauge({
    help: 'Always 1; the version that runs',
    from: [...RUNNING, 'janitor'],
    labels: ['service', 'version'],
  }),
  postrider_clock_offset_seconds: gauge({
    help: "How far this machine's clock is behind the database's",
    from: RUNNING,
  }),
  postrider_outbox_waiting: gauge({ help: 'Outbox records that wait to be published', from: RUNNING }),
  postrider_outbox_overdue_seconds: gauge({
    help: 'How long the outbox record that waits longest has been past the time its writer had to publish it',
    from: RUNNING,
  }),
  postrider_outbox_set_aside: gauge({
    help: 'Outbox records that the broker refused and that a person must look at',
    from: RUNNING,
  }),
  postrider_consumer_lag: gauge({
    help: 'Messages between the committed offsets of a group and the ends of a topic; in retry topics they wait by design',
    from: CONSUMING,
    labels: ['group', 'topic'],
  }),
  postrider_consumer_heartbeat_age_seconds: gauge({
    help: 'Time since the consumer of a group last had a heartbeat',
    from: CONSUMING,
    labels: ['group'],
  }),
  postrider_quarantined_total: counter({
    help: 'Messages that were put into quarantine, by the topic they came from',
    from: CONSUMING,
    labels: ['topic'],
  }),
} as const;

/** Of deliveries: what is made, how long it takes, what is late. */
const DELIVERIES = {
  postrider_oldest_due_seconds: gauge({
    help: 'How late the row is that has been due longest; 0 when none is',
    from: DISPATCHER,
  }),
  postrider_overdue_endpoints: gauge({ help: 'Endpoints with a row that is due', from: DISPATCHER }),
  postrider_attempts_total: counter({
    help: 'Attempts that were recorded: delivered, or the reason why not',
    from: DISPATCHER,
    labels: ['outcome'],
  }),
  postrider_post_duration_seconds: histogram({
    help: 'Duration of POSTs, from look-up to the end of the answer',
    from: DISPATCHER,
    labels: ['verdict'],
    buckets: LATENCY_S,
  }),
  postrider_delivery_wait_seconds: histogram({
    help: 'From the time that a delivery was due to the start of its POST',
    from: DISPATCHER,
    buckets: LATENESS_S,
  }),
  postrider_retries_total: counter({
    help: 'Deliveries handed to a retry tier',
    from: DISPATCHER,
    labels: ['tier'],
  }),
  postrider_dead_letters_total: counter({
    help: 'Deliveries handed to the dead-letter topic; one that had to be handed over again counts again',
    from: DISPATCHER,
  }),
  postrider_closed_deliveries_total: counter({
    help: 'Deliveries that ended unsent because their endpoint was disabled or deleted',
    from: DISPATCHER,
  }),
  postrider_endpoints_disabled_total: counter({
    help: 'Endpoints disabled after too many failures in a row',
    from: DISPATCHER,
  }),
  postrider_endpoint_failures: gauge({
    help: 'Failed attempts of the last five to ten minutes, of the 20 endpoints with most of them',
    from: DISPATCHER,
    labels: ['endpoint'],
  }),
  postrider_fan_out_events_total: counter({ help: 'Events that were fanned out', from: DISPATCHER }),
  postrider_fan_out_deliveries_total: counter({ help: 'Rows that fan-out asked for', from: DISPATCHER }),
  postrider_fan_out_duration_seconds: histogram({
    help: 'Duration of the fan-out of one batch of events',
    from: DISPATCHER,
    buckets: LATENCY_S,
  }),
} as const;

/** Of the inside of the delivery engine. */
const ENGINE = {
  postrider_in_flight: gauge({ help: 'POSTs that have a slot', from: DISPATCHER }),
  postrider_jobs: gauge({ help: 'Jobs in memory: waiting, queued or running', from: DISPATCHER }),
  postrider_jobs_waiting: gauge({ help: 'Jobs in memory that wait for their time', from: DISPATCHER }),
  postrider_unsettled: gauge({
    help: 'Observations that are not stored and passed on yet',
    from: DISPATCHER,
  }),
  postrider_parked_endpoints: gauge({
    help: 'Endpoints whose backlog is left to their rows',
    from: DISPATCHER,
  }),
  postrider_assigned_partitions: gauge({ help: 'Partition indices of this process', from: DISPATCHER }),
  postrider_open_offsets: gauge({
    help: 'Offsets that are taken in and not done',
    from: DISPATCHER,
    labels: ['topic'],
  }),
  postrider_paused_partitions: gauge({
    help: 'Partitions that are not fetched for now because too much of them is open',
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
    help: 'Group commits that failed and are tried again',
    from: DISPATCHER,
  }),
  postrider_settle_poisoned_total: counter({
    help: 'Attempts that could not be recorded although others could; their deliveries are due again',
    from: DISPATCHER,
  }),
  postrider_stale_observations_total: counter({
    help: 'Observations that were duplicate or late and changed nothing',
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
    help: 'Requests, by operation and status; the status is "gone" when the caller went away',
    from: API,
    labels: ['operation', 'status'],
  }),
  postrider_http_request_duration_seconds: histogram({
    help: 'Duration of requests, by operation',
    from: API,
    labels: ['operation'],
    buckets: LATENCY_S,
  }),
  postrider_rate_limited_total: counter({
    help: 'Requests that were refused because their client sent too many',
    from: API,
    labels: ['bucket'],
  }),
} as const;

/** The janitor is seldom there when somebody asks, so it notes its runs and the api tells of them. */
const HOUSEKEEPING = {
  postrider_janitor_last_success_timestamp_seconds: gauge({
    help: 'When a task of the janitor last succeeded',
    from: API,
    labels: ['task'],
  }),
  postrider_janitor_last_run_timestamp_seconds: gauge({
    help: 'When a task of the janitor last ended, well or not',
    from: API,
    labels: ['task'],
  }),
  postrider_janitor_last_run_duration_seconds: gauge({
    help: "Duration of a task's last run",
    from: API,
    labels: ['task'],
  }),
  postrider_janitor_last_run_handled: gauge({
    help: "What a task's last run that succeeded removed or sent",
    from: API,
    labels: ['task'],
  }),
  postrider_oldest_delivery_timestamp_seconds: gauge({
    help: 'When the oldest delivery was made that has ended and is still stored',
    from: API,
  }),
  postrider_janitor_retention_seconds: gauge({
    help: "How long the janitor's last run kept deliveries",
    from: API,
  }),
  postrider_janitor_handled: gauge({
    help: 'What a task of this run has removed or sent, once it ended',
    from: JANITOR,
    labels: ['task'],
  }),
} as const;

/**
 * Every metric, once. Processes make theirs from here, and the guide, the alerts and the dashboards are held against it.
 */
export const METRICS = {
  ...PLATFORM,
  ...DELIVERIES,
  ...ENGINE,
  ...DEAD_LETTERS,
  ...REQUESTS,
  ...HOUSEKEEPING,
} as const;

export type MetricName = keyof typeof METRICS;
