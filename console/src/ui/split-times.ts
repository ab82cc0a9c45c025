/** A piece of a text: a time, or what is between times. */
export interface TextPiece {
  readonly isTime: boolean;
  readonly text: string;
  /** Where it begins in the text. */
  readonly start: number;
}

/** A time as the api writes it, in UTC to the millisecond. */
const TIME = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)/;

/** Finds the times in a text of the api. @returns the pieces in their order, none of them empty */
export function splitTimes(text: string): readonly TextPiece[] {
  let start = 0;
  // The pieces between the times are at the even places.
  const pieces = text.split(TIME).map((piece, index) => {
    const begin = start;
    start += piece.length;
    return { isTime: index % 2 === 1, text: piece, start: begin };
  });
  return pieces.filter((piece) => piece.text !== '');
}
