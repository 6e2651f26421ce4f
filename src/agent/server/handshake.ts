import { failure, type SpopResult, spopError, success } from '../wire/errors.ts';
import { type AgentHello, type HaproxyHello, MIN_FRAME_SIZE, PIPELINING } from '../wire/hello.ts';
import { formatVersion, type SpopVersion, speaks } from '../wire/version.ts';

/** The one version this agent speaks. HAProxy announces it from 3.1 on. */
const VERSION: SpopVersion = { major: 2, minor: 0 };

/**
 * The answer to HAPROXY-HELLO (SPOE.txt 3.2.4 and 3.2.5): version 2.0, the smaller of the two frame sizes, and
 * pipelining when HAProxy wants it. Faults: `unsupported-version`; `bad-max-frame-size` below 256 bytes.
 */
export function answerHello(hello: HaproxyHello, maxFrameSize: number): SpopResult<AgentHello> {
  if (!speaks(hello.supportedVersions, VERSION)) {
    return failure(spopError('unsupported-version', `HAProxy does not speak ${formatVersion(VERSION)}`));
  }
  const size = Math.min(hello.maxFrameSize, maxFrameSize);
  if (size < MIN_FRAME_SIZE) {
    return failure(spopError('bad-max-frame-size', `a max-frame-size of ${size} bytes`));
  }
  const capabilities = hello.capabilities.includes(PIPELINING) ? [PIPELINING] : [];
  return success({ kind: 'agent-hello', version: VERSION, maxFrameSize: size, capabilities });
}
