import dgram from 'node:dgram';
import dns from 'node:dns';
import { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

// Preloaded into a process (`node --import`), records every outgoing connection and name lookup as a JSON line in OUTGOING_FILE.
// It works below every library: all sockets connect through these functions, and all names are resolved by them.

export interface Outgoing {
  /** The program of the process. */
  readonly program: string;
  readonly kind: 'connection' | 'datagram' | 'name';
  readonly to: string;
}

const file = process.env.OUTGOING_FILE;

function note(kind: Outgoing['kind'], to: string): void {
  const line: Outgoing = { program: process.argv[1] ?? '', kind, to };
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(line)}\n`);
}

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Calls `before` with the arguments of each call of a method. */
function watch(owner: object, name: string, before: (self: unknown, args: readonly unknown[]) => void): void {
  const methods = owner as Record<string, Method>;
  const original = methods[name];
  if (original === undefined) throw new Error(`there is no ${name} to watch`);
  methods[name] = function (...args) {
    before(this, args);
    return original.apply(this, args);
  };
}

const watched = new WeakSet<object>();
watch(net.Socket.prototype, 'connect', (socket) => {
  // Addresses are known only after name resolution. A reconnected socket already has its listener.
  if (watched.has(socket as net.Socket)) return;
  watched.add(socket as net.Socket);
  (socket as net.Socket).on('connectionAttempt', (ip, port) => note('connection', `${ip}:${port}`));
});
for (const name of ['send', 'connect'])
  watch(dgram.Socket.prototype, name, (_socket, args) => note('datagram', args.slice(-3).map(String).join()));

const askName = (_self: unknown, [name]: readonly unknown[]) => note('name', String(name));
for (const asking of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype])
  for (const name of Object.getOwnPropertyNames(asking))
    if (/^(lookup|resolve|reverse)/.test(name)) watch(asking, name, askName);
syncBuiltinESMExports();
