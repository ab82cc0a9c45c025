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
  const zone = useZone();
  return (
    <time dateTime={at} title={at}>
      {FORMATS[zone].format(new Date(at))}
    </time>
  );
}
