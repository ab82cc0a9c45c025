import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** PEM files of an authority, of a server on 127.0.0.1 and a client that it has signed, and of a self-signed stranger. */
export interface Certificates {
  readonly ca: string;
  readonly server: { readonly cert: string; readonly key: string };
  readonly client: { readonly cert: string; readonly key: string };
  readonly stranger: { readonly cert: string; readonly key: string };
  /** Certificate and key of one in a single file, as Kafka and MongoDB require. */
  readonly both: (who: 'server' | 'client') => string;
}

/** Makes them with openssl. @throws Error when openssl is not there */
export async function makeCertificates(directory: string): Promise<Certificates> {
  const at = (name: string) => join(directory, name);
  const openssl = (...args: string[]) => run('openssl', args, { cwd: directory });
  const fresh = ['-newkey', 'rsa:2048', '-nodes'];
  for (const [file, name] of [
    ['ca', 'test'],
    ['stranger', 'client'],
  ]) {
    const files = ['-keyout', `${file}.key`, '-out', `${file}.crt`];
    await openssl('req', '-x509', ...fresh, ...files, '-days', '2', '-subj', `/CN=${name}`);
  }
  for (const who of ['server', 'client']) {
    const names = ['-subj', `/CN=${who}/O=${who}`, '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
    await openssl('req', ...fresh, '-keyout', `${who}.key`, '-out', `${who}.csr`, ...names);
    const signing = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-copy_extensions', 'copy'];
    await openssl('x509', '-req', '-in', `${who}.csr`, '-out', `${who}.crt`, '-days', '2', ...signing);
    writeFileSync(
      at(`${who}.pem`),
      readFileSync(at(`${who}.key`), 'utf8') + readFileSync(at(`${who}.crt`), 'utf8'),
    );
  }
  const pair = (who: string) => ({ cert: at(`${who}.crt`), key: at(`${who}.key`) });
  return {
    ca: at('ca.crt'),
    server: pair('server'),
    client: pair('client'),
    stranger: pair('stranger'),
    both: (who) => at(`${who}.pem`),
  };
}
