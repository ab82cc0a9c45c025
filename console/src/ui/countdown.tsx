import { useEffect, useState } from 'react';
import { texts } from '../texts/en.js';
import { formatDuration } from './format-duration.js';
import { Time } from './time.js';

const TICK_MS = 1_000;

/** A moment in the future, with the time until then. */
export function Countdown({ at }: { readonly at: string }) {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const leftMs = Date.parse(at) - nowMs;
  return (
    <span>
      {leftMs > 0 ? texts.time.in(formatDuration(leftMs)) : texts.time.now} (<Time at={at} />)
    </span>
  );
}
