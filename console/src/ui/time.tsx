import { texts } from '../texts/en.js';
import { useZone, type Zone, zoneOptions } from './time-zone.js';

const FORMATS = { local: formatOf('local'), utc: formatOf('utc') };

function formatOf(zone: Zone): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(texts.language, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: zone === 'utc' ? 'short' : 'shortOffset',
    ...zoneOptions(zone),
  });
}

/** A moment in the zone that the reader chose, with the zone. The title has the exact time in UTC. */
export function Time({ at }: { readonly at: string }) {
  const zone = useZone();
  return (
    <time dateTime={at} title={at}>
      {FORMATS[zone].format(new Date(at))}
    </time>
  );
}
