import { GenericContainer } from 'testcontainers';

/** A container whose ports other machines cannot reach: these servers ask for no password. */
export class LoopbackContainer extends GenericContainer {
  /** Publishes one port, on 127.0.0.1 where the daemon is on this machine. */
  publish(port: { readonly container: number; readonly host: number }, daemonHost: string): this {
    this.withExposedPorts({ ...port });
    if (daemonHost === '127.0.0.1') {
      const binding = { HostIp: '127.0.0.1', HostPort: String(port.host) };
      this.hostConfig.PortBindings = { [`${port.container}/tcp`]: [binding] };
    }
    return this;
  }
}
