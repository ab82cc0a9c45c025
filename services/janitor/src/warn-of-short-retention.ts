import type { Log } from '@postrider/shared/ports/log';

interface RetentionParts {
  readonly retentionMs: number;
  /** How long events may stay on their topic, in milliseconds. */
  readonly eventsKeptMs: () => Promise<number>;
  readonly log: Log;
}

/**
 * Warns if deliveries are removed before their events. Consumers that lose their offsets read all of these events again, and
 * only the rows show what was delivered.
 */
export async function warnOfShortRetention({
  retentionMs,
  eventsKeptMs,
  log,
}: RetentionParts): Promise<void> {
  try {
    const keptMs = await eventsKeptMs();
    if (retentionMs >= keptMs) return;
    log.warn(
      { event: 'retention.short', retentionMs, eventsKeptMs: keptMs },
      'RETENTION is shorter than events may stay on workspace.events: lost consumer offsets would send webhooks again whose ' +
        'deliveries were removed; lower retention.ms and segment.ms of the topic, or raise RETENTION',
    );
  } catch (err) {
    log.warn({ event: 'retention.unknown', err }, 'the retention of workspace.events could not be read');
  }
}
