import styles from './time.module.css';
import { formatsOf, useZone } from './time-zone.js';

const FORMATS = formatsOf((zone) => ({
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  timeZoneName: zone === 'utc' ? 'short' : 'shortOffset',
}));

/** A moment in the zone that the reader chose, with the zone. The title has the exact time in UTC. */
export function Time({ at }: { readonly at: string }) {
  const text = FORMATS[useZone()].format(new Date(at));
  const zoneAt = text.lastIndexOf(' ') + 1;
  return (
    <time dateTime={at} title={at}>
      {text.slice(0, zoneAt)}
      {/* A line could end between the sign of an offset and its hours. */}
      <span className={styles.zone}>{text.slice(zoneAt)}</span>
    </time>
  );
}
