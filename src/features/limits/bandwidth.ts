import { key } from '../contract/key.ts';
import { reader } from '../contract/reader.ts';
import { choice, integer } from '../values/basic.ts';
import type { BandwidthPolicy } from './policy.ts';
import { byteSize } from './values.ts';

/** nginx counts in kilobytes of 1024 bytes. */
export const nginxBandwidth = reader({
  dialect: 'nginx',
  keys: {
    rate: key({
      name: 'limit-rate',
      parse: integer({ min: -1_000_000_000, max: 4_194_303 }),
      onInvalid: 'default',
      scope: 'ingress',
      value: 'kilobytes per second',
      default: 'no limit',
      summary: 'How fast one answer is sent.',
      difference: 'Works without `proxy-buffering`.',
    }),
    after: key({
      name: 'limit-rate-after',
      parse: integer({ min: -1_000_000_000, max: 1_000_000_000 }),
      onInvalid: 'default',
      scope: 'ingress',
      value: 'kilobytes',
      default: '0',
      summary: 'The first part of an answer that is sent at full speed.',
      status: { is: 'pending' },
    }),
  },
  toPolicy({ rate }): BandwidthPolicy | undefined {
    return rate === undefined || rate < 1 ? undefined : { download: rate * 1024, scope: 'stream' };
  },
});

const size = {
  parse: byteSize,
  onInvalid: 'close',
  scope: 'ingress',
  value: 'bytes per second, with k, m or g',
  default: 'no limit',
} as const;

export const hapticBandwidth = reader({
  dialect: 'haptic',
  keys: {
    download: key({ ...size, name: 'download-bandwidth-limit', summary: 'How fast answers are sent.' }),
    upload: key({ ...size, name: 'upload-bandwidth-limit', summary: 'How fast request bodies are taken.' }),
    scope: key({
      name: 'bandwidth-limit-scope',
      parse: choice(['stream', 'client', 'service']),
      onInvalid: 'close',
      scope: 'ingress',
      value: 'stream, client or service',
      default: 'stream',
      summary: 'Whether each body has the bandwidth for itself, or those of a client, or of a route, share it.',
      difference: 'May be combined with `rate-limit-*`. A new value of a shared limit costs a reload.',
    }),
  },
  toPolicy({ download, upload, scope }, context): BandwidthPolicy | undefined {
    if (download === undefined && upload === undefined) {
      if (scope !== undefined)
        context.report(
          'AnnotationIgnored',
          'scope',
          '`bandwidth-limit-scope` has no effect without `download-bandwidth-limit` or `upload-bandwidth-limit`.',
        );
      return undefined;
    }
    return {
      ...(download === undefined ? {} : { download }),
      ...(upload === undefined ? {} : { upload }),
      scope: scope === 'service' ? 'route' : (scope ?? 'stream'),
    };
  },
});
