import { texts } from '../texts/en.js';

const FORMAT = new Intl.DateTimeFormat(texts.language, { dateStyle: 'medium', timeStyle: 'medium' });

/** A moment in the reader's time zone. The title has the exact time in UTC. */
export function Time({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={at}>
      {FORMAT.format(new Date(at))}
    </time>
  );
}
