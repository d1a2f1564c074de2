interface Listener {
  readonly address: string;
  readonly tls: boolean;
}

export interface ExecutorStart {
  /** Host and port, as executors on other machines name it. */
  readonly server: string;
  /** What starts another executor for this server. */
  readonly line: string;
  /** What gives the server a key. The port that it has now is fixed, so that executors find it again after its restart. */
  readonly makeKey: string;
}

/** Lines for the listener of a server that the page is shown from `pageHost`: of one that listens everywhere, that is its name. */
export function executorStart({ address, tls }: Listener, pageHost: string): ExecutorStart {
  const colon = address.lastIndexOf(':');
  const [host, port] = [address.slice(0, colon), address.slice(colon + 1)];
  const server = `${everywhere.includes(host) ? pageHost : host}:${port}`;
  const ca = tls ? ' --ca ca.pem' : '';
  return {
    server,
    line: `SVC_EXECUTOR_KEY=… headgate executor --server ${server}${ca} --slots 4 --name executor-2`,
    makeKey: `export SVC_EXECUTOR_KEY=$(openssl rand -hex 32)\nexport SVC_GRPC_PORT=${port}\nheadgate serve`,
  };
}

const everywhere: readonly string[] = ['0.0.0.0', '::', '[::]'];
