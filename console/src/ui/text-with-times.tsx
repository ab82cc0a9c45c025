import { Fragment } from 'react';
import { splitTimes } from './split-times.js';
import { Time } from './time.js';

/** A text of the api. Its times are shown as all others are. */
export function TextWithTimes({ text }: { readonly text: string }) {
  return splitTimes(text).map((piece) => (
    <Fragment key={piece.start}>{piece.isTime ? <Time at={piece.text} /> : piece.text}</Fragment>
  ));
}
