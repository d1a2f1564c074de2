import { connect, type Socket } from 'node:net';
import type { Test } from 'tap';

/** Somebody who follows a run's log and does not read: the answer stays in the sockets' buffers. */
export class SlowReader {
  readonly #socket: Socket;
  #text = '';

  constructor(t: Test, url: string, key: string, runId: number) {
    const { hostname, port, host } = new URL(url);
    this.#socket = connect({ host: hostname, port: Number(port) });
    this.#socket.on('error', () => undefined);
    this.#socket.write(
      `GET /api/runs/${runId}/logs/stream HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\nAccept: text/event-stream\r\n\r\n`,
    );
    this.#socket.pause();
    t.teardown(() => this.#socket.destroy());
  }

  /** Reads all there is until the stream ends; the seqs of the lines, in their order. */
  async readToEnd(ms: number): Promise<number[]> {
    const ended = new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('the stream does not end')), ms);
      const done = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#socket.setEncoding('utf8').on('data', (text: string) => {
        this.#text += text;
        if (this.#text.includes('event: end') || /\r\n0\r\n/.test(text)) done();
      });
      this.#socket.on('close', done);
    });
    this.#socket.resume();
    await ended;
    return [...this.#text.matchAll(/^id: 1\.(\d+)\r?$/gm)].map((match) => Number(match[1]));
  }
}
