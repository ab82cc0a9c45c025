/** Whether a JSON text has lists and objects in more than this many levels. Brackets inside strings do not count. */
export function isNestedDeeper(text: string, levels: number): boolean {
  // Each level has an opening bracket.
  if (text.length <= levels) return false;
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (inString && character === '\\') index += 1;
    else if (character === '"') inString = !inString;
    else if (!inString && (character === '{' || character === '[')) {
      depth += 1;
      if (depth > levels) return true;
    } else if (!inString && (character === '}' || character === ']')) depth -= 1;
  }
  return false;
}
