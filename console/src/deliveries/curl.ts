/** What a request needs to be repeated. */
interface SentRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Set by curl itself. */
const OWN_HEADERS = new Set(['content-length', 'host', 'connection', 'transfer-encoding', 'accept-encoding']);

/** A command for a POSIX shell that sends the same request again, byte for byte. */
export function curlCommand({ url, headers, body }: SentRequest): string {
  const lines = Object.entries(headers)
    .filter(([name]) => !OWN_HEADERS.has(name.toLowerCase()))
    .map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);
  return [`curl -X POST ${quote(url)}`, ...lines, `--data-raw ${quote(body)}`].join(' \\\n  ');
}

/** One word for a POSIX shell, whatever it contains. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
