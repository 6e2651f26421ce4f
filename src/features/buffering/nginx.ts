import { key, parsed } from '../contract/key.ts';
import { reader } from '../contract/reader.ts';
import type { BufferingPolicy } from './policy.ts';

const common = { parse: parsed<string>, onInvalid: 'default', scope: 'ingress' } as const;
const size = { ...common, value: 'bytes, or a number with k, m or g' } as const;
const STREAMS = 'bodies are streamed in both directions as they arrive';
const MEMORY = 'HAProxy holds one bounded buffer for each direction and spools nothing to disk';

function noOp(why: string) {
  return { is: 'no-op', why } as const;
}

export const nginx = reader<never, Record<string, ReturnType<typeof key<string>>>>({
  dialect: 'nginx',
  keys: {
    buffering: key({
      ...common,
      name: 'proxy-buffering',
      value: 'on or off',
      default: 'off',
      summary: 'Whether nginx collects an answer before sending it.',
      status: noOp(STREAMS),
    }),
    requestBuffering: key({
      ...common,
      name: 'proxy-request-buffering',
      value: 'on or off',
      default: 'on',
      summary: 'Whether nginx collects a request before it asks the endpoint.',
      difference: 'A slow upload occupies its endpoint from the first byte, as with `off`.',
      status: noOp(STREAMS),
    }),
    bufferSize: key({
      ...size,
      name: 'proxy-buffer-size',
      default: '4k',
      summary: "Room for an answer's header.",
      difference: 'Headers of up to about 15 kB pass whatever the value.',
      status: noOp(`${MEMORY}; headers of up to about 15 kB pass`),
    }),
    buffersNumber: key({
      ...common,
      name: 'proxy-buffers-number',
      value: 'number',
      default: '4',
      summary: 'How many buffers an answer may take.',
      status: noOp(MEMORY),
    }),
    busyBuffers: key({
      ...size,
      name: 'proxy-busy-buffers-size',
      default: 'twice the buffer size',
      summary: 'How much of the buffers may be on its way to the client.',
      status: noOp(MEMORY),
    }),
    maxTempFile: key({
      ...size,
      name: 'proxy-max-temp-file-size',
      default: '1024m',
      summary: 'How much of an answer may be spooled to disk.',
      status: noOp(MEMORY),
    }),
    clientBodyBuffer: key({
      ...size,
      name: 'client-body-buffer-size',
      default: '8k',
      summary: 'How much of a request body is held in memory.',
      status: noOp(MEMORY),
    }),
    httpVersion: key({
      ...common,
      name: 'proxy-http-version',
      value: '1.0 or 1.1',
      default: '1.1',
      summary: 'HTTP version towards the endpoint.',
      status: noOp('endpoints are always asked by HTTP/1.1, or HTTP/2 where `backend-protocol` says so'),
    }),
  },
  toPolicy: (): BufferingPolicy | undefined => undefined,
});
