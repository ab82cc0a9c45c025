const MAX_LENGTH = 254;
const MAX_LOCAL_LENGTH = 64;
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
/** What HTML calls a valid e-mail address, and a domain of at least two labels: mail to `ada@localhost` is no mail. */
const EMAIL = new RegExp(`^([A-Za-z0-9.!#$%&'*+/=?^_\`{|}~-]+)@${LABEL}(?:\\.${LABEL})+$`);

/**
 * The one spelling by which a person is known: trimmed and in lower case.
 *
 * @returns null when the text is no e-mail address
 */
export function normalEmail(text: string): string | null {
  const trimmed = text.trim();
  const [, local] = (trimmed.length <= MAX_LENGTH && EMAIL.exec(trimmed)) || [];
  if (local === undefined || local.length > MAX_LOCAL_LENGTH) return null;
  return trimmed.toLowerCase();
}
