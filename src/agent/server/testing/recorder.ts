import { connect, createServer, type Server, type Socket } from 'node:net';

/** What went over one connection, in order; `>` from HAProxy, `<` from the agent. */
export interface Transcript {
  readonly lines: readonly { readonly from: '>' | '<'; readonly bytes: Buffer }[];
}

/** Stands between HAProxy and an agent and writes down every connection. */
export class Recorder {
  readonly #server: Server;
  readonly #transcripts: { from: '>' | '<'; bytes: Buffer }[][] = [];
  readonly #sockets = new Set<Socket>();

  private constructor(agentPath: string) {
    this.#server = createServer((haproxy) => this.#relay(haproxy, connect(agentPath)));
  }

  static async listen(path: string, agentPath: string): Promise<Recorder> {
    const recorder = new Recorder(agentPath);
    await new Promise<void>((resolve) => recorder.#server.listen(path, resolve));
    return recorder;
  }

  get transcripts(): readonly Transcript[] {
    return this.#transcripts.map((lines) => ({ lines }));
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #relay(haproxy: Socket, agent: Socket): void {
    const lines: { from: '>' | '<'; bytes: Buffer }[] = [];
    this.#transcripts.push(lines);
    this.#forward(haproxy, agent, (bytes) => lines.push({ from: '>', bytes }));
    this.#forward(agent, haproxy, (bytes) => lines.push({ from: '<', bytes }));
  }

  #forward(source: Socket, target: Socket, note: (bytes: Buffer) => void): void {
    this.#sockets.add(source);
    source.on('data', (bytes: Buffer) => {
      note(bytes);
      target.write(bytes);
    });
    source.on('end', () => target.end());
    source.on('error', () => target.destroy());
    source.on('close', () => this.#sockets.delete(source));
  }
}
