import { writeActions } from './action.ts';
import { assertNever } from './assert-never.ts';
import { ByteWriter } from './byte-writer.ts';
import { disconnectItems } from './disconnect.ts';
import { failure, type SpopError, type SpopResult, success } from './errors.ts';
import { FLAG, FRAME_TYPE, type Frame, LENGTH_BYTES } from './frame.ts';
import { agentHelloItems, haproxyHelloItems } from './hello.ts';
import { type KeyValue, writeKeyValues } from './key-value.ts';
import { writeMessages } from './message.ts';
import { writeVarint } from './varint.ts';

/**
 * Appends a frame with its length prefix to `writer`. A fault comes back and leaves nothing of the frame behind:
 * `frame-too-big` beyond `maxFrameSize` bytes (the prefix not counted), `value-out-of-range` for a value that its type
 * cannot hold.
 */
export function appendFrame(writer: ByteWriter, frame: Frame, maxFrameSize: number): SpopError | undefined {
  const start = writer.length;
  writer.uint32(0);
  writer.limit(maxFrameSize);
  writeFrame(writer, frame);
  const error = writer.error;
  if (error !== undefined) {
    writer.rewind(start);
    return error;
  }
  writer.unlimit();
  writer.patchUint32(start, writer.length - start - LENGTH_BYTES);
  return undefined;
}

/** One frame with its length prefix, as bytes of their own. Faults as for `appendFrame`. */
export function encodeFrame(frame: Frame, maxFrameSize: number): SpopResult<Uint8Array> {
  const writer = new ByteWriter();
  const error = appendFrame(writer, frame, maxFrameSize);
  return error === undefined ? success(writer.take()) : failure(error);
}

function writeFrame(writer: ByteWriter, frame: Frame): void {
  switch (frame.kind) {
    case 'notify':
      writeHead(writer, FRAME_TYPE.notify, FLAG.fin, frame.streamId, frame.frameId);
      writeMessages(writer, frame.messages);
      break;
    case 'ack':
      writeHead(writer, FRAME_TYPE.ack, FLAG.fin, frame.streamId, frame.frameId);
      writeActions(writer, frame.actions);
      break;
    case 'haproxy-hello':
      writeItems(writer, FRAME_TYPE.haproxyHello, haproxyHelloItems(frame));
      break;
    case 'agent-hello':
      writeItems(writer, FRAME_TYPE.agentHello, agentHelloItems(frame));
      break;
    case 'haproxy-disconnect':
      writeItems(writer, FRAME_TYPE.haproxyDisconnect, disconnectItems(frame));
      break;
    case 'agent-disconnect':
      writeItems(writer, FRAME_TYPE.agentDisconnect, disconnectItems(frame));
      break;
    case 'aborted':
      writeHead(writer, FRAME_TYPE.notify, FLAG.fin | FLAG.abort, frame.streamId, frame.frameId);
      break;
    default:
      assertNever(frame);
  }
}

function writeItems(writer: ByteWriter, type: number, items: readonly KeyValue[]): void {
  writeHead(writer, type, FLAG.fin, 0, 0);
  writeKeyValues(writer, items);
}

function writeHead(writer: ByteWriter, type: number, flags: number, streamId: number, frameId: number): void {
  writer.byte(type);
  writer.uint32(flags);
  writeVarint(writer, streamId);
  writeVarint(writer, frameId);
}
