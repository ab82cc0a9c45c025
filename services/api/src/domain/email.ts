const MAX_LENGTH = 254;
const MAX_LOCAL_LENGTH = 64;
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
/** A valid e-mail address as defined by HTML, with a domain of at least two labels. */
const EMAIL = new RegExp(`^([A-Za-z0-9.!#$%&'*+/=?^_\`{|}~-]+)@${LABEL}(?:\\.${LABEL})+$`);

/**
 * Normalizes an e-mail address: trimmed and in lower case.
 *
 * @returns null when the text is not an e-mail address
 */
export function normalizeEmail(text: string): string | null {
  const trimmed = text.trim();
  const [, local] = (trimmed.length <= MAX_LENGTH && EMAIL.exec(trimmed)) || [];
  if (local === undefined || local.length > MAX_LOCAL_LENGTH) return null;
  return trimmed.toLowerCase();
}
