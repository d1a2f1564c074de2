import { once } from 'node:events';
import { createServer, type Server, Socket } from 'node:net';

/**
 * What the link does to bytes. `pass`: nothing. `swallow`: takes them and forwards none, as a network does that drops packets while
 * both ends believe in their connection. `up` and `down`: swallows one direction alone (to the server, from it), a half-open link.
 * `refuse`: breaks what is open, and every new connection.
 */
export type LinkMode = 'pass' | 'swallow' | 'swallow_up' | 'swallow_down' | 'refuse';

/** A TCP proxy in this process that a test can make slow, deaf or dead. */
export class TcpProxy {
  mode: LinkMode = 'pass';
  /** Each chunk waits so long, in order. */
  delayMs = 0;
  readonly #target: { host: string; port: number };
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor(target: { host: string; port: number }) {
    this.#target = target;
    this.#server = createServer((client) => this.#link(client));
  }

  /** `target` is `HOST:PORT`. */
  static async start(t: { teardown(work: () => unknown): void }, target: string): Promise<TcpProxy> {
    const at = target.lastIndexOf(':');
    const proxy = new TcpProxy({ host: target.slice(0, at), port: Number(target.slice(at + 1)) });
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    t.teardown(() => proxy.stop());
    return proxy;
  }

  get address(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('The proxy does not listen');
    return `127.0.0.1:${address.port}`;
  }

  /** How many connections go through it. */
  get links(): number {
    return this.#sockets.size / 2;
  }

  /** What lived through swallowed bytes is broken: no protocol goes on after them. */
  set(mode: LinkMode): void {
    const hadLost = this.mode !== 'pass' && mode === 'pass';
    this.mode = mode;
    if (mode === 'refuse' || hadLost) this.cut();
  }

  /** Breaks what is open, with a reset; new connections are welcome. */
  cut(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async stop(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #link(client: Socket): void {
    if (this.mode === 'refuse') {
      client.on('error', () => undefined).resetAndDestroy();
      return;
    }
    const server = new Socket().connect(this.#target);
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        // Where nothing goes through, the other end does not hear of the end either.
        if (this.mode === 'pass' || this.mode === 'refuse') (socket === client ? server : client).destroy();
      });
    }
    this.#forward(client, server, 'swallow_up');
    this.#forward(server, client, 'swallow_down');
  }

  #forward(from: Socket, to: Socket, half: LinkMode): void {
    const pass = (bytes: Buffer) => {
      const dropped = this.mode === 'swallow' || this.mode === half;
      if (!dropped && !to.destroyed && !to.write(bytes)) {
        from.pause();
        to.once('drain', () => from.resume());
      }
    };
    from.on('data', (bytes: Buffer) => {
      // Equal delays keep the order: timers of one length fire as they were set.
      if (this.delayMs === 0) pass(bytes);
      else setTimeout(() => pass(bytes), this.delayMs);
    });
    from.on('end', () => {
      if (this.mode === 'pass') to.end();
    });
  }
}
