/**
 * Characters without a look of their own that change how the text around them appears: control characters other than tabs and ends
 * of lines, and those that set the direction of text.
 */
const CONTROLS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\r(?!\n)/g;

/** Replaces each of them by its escape as in JSON, for example `\u202e`, so that a text reads as it is stored. */
export function showControls(text: string): string {
  return text.replace(CONTROLS, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${code}`;
  });
}
