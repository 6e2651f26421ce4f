import { connect, type Socket } from 'node:net';
import { decodeFrame } from '../../wire/decode-frame.ts';
import { encodeFrame } from '../../wire/encode-frame.ts';
import type { Ack, Frame } from '../../wire/frame.ts';
import { FrameReader } from '../../wire/frame-reader.ts';
import { type HaproxyHello, PIPELINING } from '../../wire/hello.ts';
import type { KeyValue } from '../../wire/key-value.ts';
import type { Message } from '../../wire/message.ts';
import type { ListenAddress } from '../address.ts';

export const HELLO: HaproxyHello = {
  kind: 'haproxy-hello',
  supportedVersions: [{ major: 2, minor: 0 }],
  maxFrameSize: 16_380,
  capabilities: [PIPELINING],
  healthcheck: false,
  engineId: 'engine-1',
};

const MAX = 0xffff_ffff;

/** The other side of a connection: says what HAProxy says, and what it never would. */
export class SpopClient {
  readonly socket: Socket;
  /** Everything received, in order. */
  readonly received: Frame[] = [];
  /** Resolves when the server has closed the connection. */
  readonly closed: Promise<void>;
  readonly #reader = new FrameReader(MAX);
  readonly #waiting = new Set<() => void>();
  #streamId = 0;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => this.#onData(chunk));
    // A server that closes while this side writes is part of the tests.
    socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => socket.on('close', () => resolve()));
  }

  static open(address: ListenAddress): Promise<SpopClient> {
    const socket = address.kind === 'unix' ? connect(address.path) : connect(address.port, address.host);
    return new Promise((resolve, reject) => {
      socket.once('connect', () => resolve(new SpopClient(socket)));
      socket.once('error', reject);
    });
  }

  /** Opens a connection and completes the handshake. */
  static async greeted(address: ListenAddress, hello: Partial<HaproxyHello> = {}): Promise<SpopClient> {
    const client = await SpopClient.open(address);
    client.send({ ...HELLO, ...hello });
    await client.frame('agent-hello');
    return client;
  }

  send(...frames: readonly Frame[]): void {
    const encoded = frames.map((frame) => encodeFrame(frame, MAX));
    this.socket.write(Buffer.concat(encoded.map((result) => (result.ok ? result.value : new Uint8Array()))));
  }

  /** Sends one NOTIFY and gives its stream-id. */
  notify(...messages: readonly Message[]): number {
    this.#streamId += 1;
    this.send({ kind: 'notify', streamId: this.#streamId, frameId: 1, messages });
    return this.#streamId;
  }

  /** Asks one message and waits for its ACK. */
  ask(name: string, args: readonly KeyValue[] = []): Promise<Ack> {
    return this.ack(this.notify({ name, args }));
  }

  ack(streamId: number): Promise<Ack> {
    return this.until(() => this.received.find((frame): frame is Ack => frame.kind === 'ack' && frame.streamId === streamId));
  }

  /** The first frame of a kind. */
  frame<K extends Frame['kind']>(kind: K): Promise<Extract<Frame, { kind: K }>> {
    return this.until(() => this.received.find((frame): frame is Extract<Frame, { kind: K }> => frame.kind === kind));
  }

  /** The first answer of `find`, asked now and after every frame. */
  until<T>(find: () => T | undefined): Promise<T> {
    return new Promise((resolve) => {
      const attempt = (): void => {
        const found = find();
        if (found === undefined) return;
        this.#waiting.delete(attempt);
        resolve(found);
      };
      this.#waiting.add(attempt);
      attempt();
    });
  }

  #onData(chunk: Buffer): void {
    this.#reader.push(chunk);
    for (let step = this.#reader.next(); step.kind === 'frame'; step = this.#reader.next()) {
      const frame = decodeFrame(step.bytes);
      if (!frame.ok) throw new Error(`the server sent a bad frame: ${frame.error.code}`);
      this.received.push(frame.value);
      for (const attempt of this.#waiting) attempt();
    }
  }
}
