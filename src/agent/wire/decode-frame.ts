import { readActions } from './action.ts';
import { ByteReader } from './byte-reader.ts';
import { disconnect } from './disconnect.ts';
import { failure, type SpopResult, spopError, success } from './errors.ts';
import { FLAG, FRAME_TYPE, type Frame, MIN_FRAME_BYTES } from './frame.ts';
import { agentHello, haproxyHello } from './hello.ts';
import { readKeyValues } from './key-value.ts';
import { readMessages } from './message.ts';
import { readVarint } from './varint.ts';

/**
 * Reads one whole frame without its length prefix (SPOE.txt 3.2). Values of type binary are views into `bytes`.
 * Every fault comes back as a value; see `SpopErrorCode`. Frames of both sides are read, so the caller judges whether
 * a frame is due from this peer.
 */
export function decodeFrame(bytes: Uint8Array): SpopResult<Frame> {
  if (bytes.length < MIN_FRAME_BYTES) {
    return failure(spopError('frame-too-short', `a frame of ${bytes.length} bytes`));
  }
  const reader = new ByteReader(bytes);
  const type = reader.byte();
  const flags = reader.uint32();
  const streamId = readVarint(reader);
  const frameId = readVarint(reader);
  if ((flags & FLAG.fin) === 0) reader.fail('fragmented', 'a frame without the FIN flag');
  if (reader.error !== undefined) return failure(reader.error);
  if ((flags & FLAG.abort) !== 0) return success({ kind: 'aborted', streamId, frameId });
  const frame = readPayload(reader, type, streamId, frameId);
  return reader.error === undefined ? success(frame) : failure(reader.error);
}

function readPayload(reader: ByteReader, type: number, streamId: number, frameId: number): Frame {
  switch (type) {
    case FRAME_TYPE.notify:
      checkIdentifiers(reader, streamId > 0 && frameId > 0);
      return { kind: 'notify', streamId, frameId, messages: readMessages(reader) };
    case FRAME_TYPE.ack:
      checkIdentifiers(reader, streamId > 0 && frameId > 0);
      return { kind: 'ack', streamId, frameId, actions: readActions(reader) };
    case FRAME_TYPE.haproxyHello:
      checkIdentifiers(reader, streamId === 0 && frameId === 0);
      return haproxyHello(reader, readKeyValues(reader));
    case FRAME_TYPE.agentHello:
      checkIdentifiers(reader, streamId === 0 && frameId === 0);
      return agentHello(reader, readKeyValues(reader));
    case FRAME_TYPE.haproxyDisconnect:
      checkIdentifiers(reader, streamId === 0 && frameId === 0);
      return disconnect(reader, 'haproxy-disconnect', readKeyValues(reader));
    case FRAME_TYPE.agentDisconnect:
      checkIdentifiers(reader, streamId === 0 && frameId === 0);
      return disconnect(reader, 'agent-disconnect', readKeyValues(reader));
    default:
      reader.fail('unknown-frame-type', `frame type ${type} is not known`);
      return { kind: 'aborted', streamId, frameId };
  }
}

function checkIdentifiers(reader: ByteReader, good: boolean): void {
  if (!good) reader.fail('bad-identifier', 'stream-id or frame-id does not fit the type of the frame');
}
