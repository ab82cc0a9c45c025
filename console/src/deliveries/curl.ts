import { HIDDEN_VALUE } from '@postrider/shared/domain/endpoint-options';

/** What a request needs to be repeated. */
interface SentRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Set by curl itself. */
const OWN_HEADERS = new Set(['content-length', 'host', 'connection', 'transfer-encoding', 'accept-encoding']);

/** The names of the headers that a command lacks, because their values are not recorded. */
export function hiddenHeaders(headers: SentRequest['headers']): readonly string[] {
  return Object.keys(headers).filter((name) => headers[name] === HIDDEN_VALUE);
}

/**
 * A command for a POSIX shell that sends the same request again, byte for byte, but without its hidden headers. The body is no
 * argument of curl, because Linux limits each argument of a program to 128 KiB. `printf` is part of the shell.
 */
export function curlCommand({ url, headers, body }: SentRequest): string {
  const hidden = hiddenHeaders(headers);
  const lines = Object.entries(headers)
    .filter(([name]) => !OWN_HEADERS.has(name.toLowerCase()) && !hidden.includes(name))
    .map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);
  return [`printf %s ${quote(body)} |`, `curl -X POST ${quote(url)}`, ...lines, '--data-binary @-'].join(
    ' \\\n  ',
  );
}

/** One word for a POSIX shell, whatever it contains. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
