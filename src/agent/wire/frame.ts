import type { Action } from './action.ts';
import type { Disconnect } from './disconnect.ts';
import type { AgentHello, HaproxyHello } from './hello.ts';
import type { Message } from './message.ts';

/** Asks the agent something about a stream (SPOE.txt 3.2.6). Both identifiers are 1 to 2^53-1. */
export interface Notify {
  readonly kind: 'notify';
  readonly streamId: number;
  readonly frameId: number;
  readonly messages: readonly Message[];
}

/** The answer, with the identifiers of the question (SPOE.txt 3.2.7). HAProxy waits for it even when it is empty. */
export interface Ack {
  readonly kind: 'ack';
  readonly streamId: number;
  readonly frameId: number;
  readonly actions: readonly Action[];
}

/**
 * A frame with the ABORT flag (SPOE.txt 3.2): its processing is cancelled, so its payload is not read and it gets no
 * answer. HAProxy 3.2 and 3.4 never send one.
 */
export interface Aborted {
  readonly kind: 'aborted';
  readonly streamId: number;
  readonly frameId: number;
}

/** Every frame of SPOP 2.0 (SPOE.txt 3.2.2). */
export type Frame = HaproxyHello | AgentHello | Disconnect | Notify | Ack | Aborted;

/** The byte that begins a frame. */
export const FRAME_TYPE = {
  haproxyHello: 1,
  haproxyDisconnect: 2,
  notify: 3,
  agentHello: 101,
  agentDisconnect: 102,
  ack: 103,
} as const;

/** Bits of the four flag bytes. All others are reserved and ignored. */
export const FLAG = { fin: 1, abort: 2 } as const;

/** Every frame is preceded by its length, which does not count itself. */
export const LENGTH_BYTES = 4;

/** Type, flags and two identifiers of one byte. */
export const MIN_FRAME_BYTES = 7;
