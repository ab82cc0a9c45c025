import { quote } from './curl.js';

const HTTPS_PORT = '443';

/** A command for a POSIX shell that shows what a TLS connection to the receiver ends with. */
export function tlsCommand(url: string): string {
  const { hostname, port } = new URL(url);
  const name = quote(hostname.replace(/^\[|\]$/g, ''));
  const address = quote(`${hostname}:${port === '' ? HTTPS_PORT : port}`);
  return `openssl s_client -connect ${address} -servername ${name} </dev/null`;
}
