/**
 * Characters without a look of their own that change how the text around them appears: control characters other than tabs and ends
 * of lines, and those that set the direction of text.
 */
const CONTROLS = /(?!\t|\r?\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufeff]/gu;

/** Replaces each of them by its escape as in JSON, for example `\u202e`, so that a text reads as it is stored. */
export function showControls(text: string): string {
  return text.replace(CONTROLS, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${code}`;
  });
}
