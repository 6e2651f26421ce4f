import type { Socket } from 'node:net';
import { assertNever } from '../wire/assert-never.ts';
import { decodeFrame } from '../wire/decode-frame.ts';
import { type SpopError, spopError, statusOf } from '../wire/errors.ts';
import type { Frame, Notify } from '../wire/frame.ts';
import { FrameReader } from '../wire/frame-reader.ts';
import type { AgentHello, HaproxyHello } from '../wire/hello.ts';
import { type KnownStatus, STATUS, statusText } from '../wire/status.ts';
import type { Cancel } from './clock.ts';
import { answerHello } from './handshake.ts';
import { InFlight } from './in-flight.ts';
import { Outbox } from './outbox.ts';
import type { Services } from './services.ts';

/**
 * `hello`: nothing but HAPROXY-HELLO is due. `running`: questions are answered. `closing`: our last frame is written,
 * what still arrives is dropped. `closed`: the socket is of no use any more.
 */
type State = 'hello' | 'running' | 'closing' | 'closed';

/** What a connection asks of its server. */
export interface ConnectionOwner {
  /** False once the server is about to stop: health checks fail then, so that HAProxy looks elsewhere. */
  readonly healthy: boolean;
  onClosed(connection: Connection): void;
}

/** One connection of HAProxy: handshake, questions and answers, farewell (SPOE.txt 3.2.3). */
export class Connection {
  readonly #socket: Socket;
  readonly #services: Services;
  readonly #owner: ConnectionOwner;
  readonly #reader: FrameReader;
  readonly #outbox: Outbox;
  readonly #inFlight: InFlight;
  readonly #pumpAgain = (): void => this.#pump();
  #state: State = 'hello';
  #maxFrameSize: number;
  #cancelTimer: Cancel;
  /** A question that was read but exceeds a bound: it comes first when there is a place again. */
  #held: Notify | undefined;
  #draining = false;

  constructor(socket: Socket, services: Services, owner: ConnectionOwner) {
    const { limits, clock, stats } = services;
    this.#socket = socket;
    this.#services = services;
    this.#owner = owner;
    this.#maxFrameSize = limits.maxFrameSize;
    this.#reader = new FrameReader(limits.maxFrameSize);
    this.#outbox = new Outbox(socket, stats, this.#pumpAgain);
    this.#inFlight = new InFlight(services, this.#outbox, () => this.#onAcked());
    this.#cancelTimer = clock.after(limits.helloMs, () => this.#disconnect(STATUS.timeout));
    stats.counters.connections += 1;
    stats.counters.connectionsAccepted += 1;
    this.#listen();
  }

  /** Takes no more from the socket, answers what was read, then says AGENT-DISCONNECT and closes. */
  drain(): void {
    this.#draining = true;
    this.#socket.pause();
    this.#finishDraining();
  }

  /** Says AGENT-DISCONNECT at once; questions in flight are given up, HAProxy sees them fail. */
  abort(): void {
    this.#disconnect(STATUS.timeout);
  }

  #listen(): void {
    this.#socket.on('data', (chunk: Buffer) => {
      if (this.#state === 'closing' || this.#state === 'closed') return;
      this.#reader.push(chunk);
      this.#pump();
    });
    this.#socket.on('end', () => {
      if (this.#state === 'closing' || this.#state === 'closed') return;
      if (!this.#reader.idle) this.#fault(spopError('truncated', 'the connection ended within a frame'));
      this.#close();
    });
    this.#socket.on('error', (error) => {
      this.#services.stats.counters.socketErrors += 1;
      this.#services.report({ kind: 'socket-error', error });
    });
    this.#socket.on('close', () => {
      this.#giveUp('closed');
      this.#services.stats.counters.connections -= 1;
      this.#owner.onClosed(this);
    });
  }

  /** Handles what has arrived, as far as the bounds allow; then reading goes on or pauses. */
  #pump(): void {
    while (this.#state === 'hello' || this.#state === 'running') {
      const frame = this.#held ?? this.#nextFrame();
      if (frame === undefined) break;
      if (frame.kind === 'notify' && this.#state === 'running' && !this.#admit()) {
        this.#held = frame;
        if (!this.#socket.isPaused()) this.#services.stats.counters.pauses += 1;
        this.#socket.pause();
        return;
      }
      this.#held = undefined;
      this.#accept(frame);
    }
    if (this.#draining) this.#finishDraining();
    else if (this.#socket.isPaused()) this.#socket.resume();
  }

  /** True when there is a place, which is then taken. If not, `#pump` is called when there may be one. */
  #admit(): boolean {
    if (this.#outbox.blocked || this.#inFlight.full) return false;
    if (this.#services.gate.enter()) return true;
    this.#services.gate.wait(this.#pumpAgain);
    return false;
  }

  #nextFrame(): Frame | undefined {
    for (;;) {
      const step = this.#reader.next();
      if (step.kind === 'incomplete') return undefined;
      if (step.kind === 'fault') return this.#fail(step.error);
      this.#services.stats.counters.framesReceived += 1;
      const decoded = decodeFrame(step.bytes);
      if (decoded.ok) return decoded.value;
      // SPOE.txt 3.2.2 lets unknown frames be skipped, which is what a later minor version would need.
      if (decoded.error.code !== 'unknown-frame-type') return this.#fail(decoded.error);
      this.#fault(decoded.error);
    }
  }

  #accept(frame: Frame): void {
    switch (frame.kind) {
      case 'haproxy-hello':
        if (this.#state === 'hello') this.#greet(frame);
        else this.#unexpected(frame);
        break;
      case 'notify':
        if (this.#state === 'running') this.#inFlight.start(frame);
        else this.#unexpected(frame);
        break;
      case 'haproxy-disconnect':
        this.#farewell(frame.status, frame.message);
        break;
      case 'aborted':
        if (this.#state !== 'running') this.#unexpected(frame);
        break;
      case 'agent-hello':
      case 'agent-disconnect':
      case 'ack':
        this.#unexpected(frame);
        break;
      default:
        assertNever(frame);
    }
  }

  #greet(hello: HaproxyHello): void {
    this.#cancelTimer();
    if (hello.healthcheck) this.#services.stats.counters.healthChecks += 1;
    const answer = answerHello(hello, this.#services.limits.maxFrameSize);
    if (hello.healthcheck && !this.#owner.healthy) this.#disconnect(STATUS.normal);
    else if (answer.ok) this.#welcome(hello, answer.value);
    else this.#fail(answer.error);
  }

  #welcome(hello: HaproxyHello, answer: AgentHello): void {
    this.#maxFrameSize = answer.maxFrameSize;
    this.#reader.limit(this.#maxFrameSize);
    this.#inFlight.open(hello.engineId, this.#maxFrameSize);
    this.#outbox.append(answer, this.#maxFrameSize);
    this.#state = 'running';
    // A health check has its answer; SPOE.txt 3.2.5 allows to close without a word.
    if (hello.healthcheck) this.#close();
  }

  #farewell(status: number, message: string): void {
    this.#services.stats.disconnect(status);
    if (status !== STATUS.normal) this.#services.report({ kind: 'peer-disconnect', status, message });
    this.#disconnect(STATUS.normal);
  }

  #unexpected(frame: Frame): void {
    this.#fail(spopError('unexpected-frame', `${frame.kind} in state ${this.#state}`));
  }

  #fault(error: SpopError): void {
    this.#services.stats.protocolError(error.code);
    this.#services.report({ kind: 'protocol-error', error });
  }

  #fail(error: SpopError): undefined {
    this.#fault(error);
    this.#disconnect(statusOf(error.code));
  }

  #onAcked(): void {
    if (this.#held !== undefined || this.#draining) this.#pump();
  }

  #finishDraining(): void {
    const idle = this.#held === undefined && this.#inFlight.size === 0;
    if (idle) this.#disconnect(STATUS.normal);
  }

  #disconnect(status: KnownStatus): void {
    if (this.#state === 'closing' || this.#state === 'closed') return;
    const message = statusText(status);
    this.#outbox.append({ kind: 'agent-disconnect', status, message }, this.#maxFrameSize);
    this.#close();
  }

  /** Sends what is written, then only waits for the peer to close; not for ever. */
  #close(): void {
    this.#giveUp('closing');
    this.#outbox.flush();
    this.#socket.end();
    this.#socket.resume();
    this.#cancelTimer = this.#services.clock.after(this.#services.limits.closeMs, () => this.#socket.destroy());
  }

  #giveUp(state: State): void {
    this.#state = state;
    this.#held = undefined;
    this.#cancelTimer();
    this.#services.gate.forget(this.#pumpAgain);
    this.#inFlight.cancel(new Error('the connection to HAProxy is closed'));
  }
}
