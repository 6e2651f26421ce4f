import { reader } from '../contract/reader.ts';
import { keys as nginxKeys } from './nginx.ts';
import type { BackendProtocolPolicy } from './policy.ts';
import { proxySsl, reportWithoutTls } from './proxy-ssl.ts';

/** MSE documents four of the keys; the others of ingress-nginx count here as they do there. */
const keys = {
  ...nginxKeys,
  protocol: {
    ...nginxKeys.protocol,
    difference:
      'AUTO_HTTP and FCGI are served as HTTP. A Service port by the name grpc or http2 does not count; set the annotation, or `appProtocol: kubernetes.io/h2c`.',
  },
  secret: { ...nginxKeys.secret, difference: 'As the documentation of MSE says, it turns TLS on by itself.' },
};

export const mse = reader({
  dialect: 'mse',
  keys,
  toPolicy({ protocol, ...values }, context): BackendProtocolPolicy | undefined {
    if (protocol === 'AUTO_HTTP' || protocol === 'FCGI')
      context.report('AnnotationAdjusted', 'protocol', `\`backend-protocol: ${protocol}\` is served as HTTP, as in MSE.`);
    const http = protocol === 'GRPC' || protocol === 'GRPCS' || protocol === 'HTTP2' ? 'h2' : 'h1';
    // A Secret that was given and is bad has closed the object before this is asked.
    if (protocol !== 'HTTPS' && protocol !== 'GRPCS' && values.secret === undefined) {
      reportWithoutTls(context);
      return http === 'h2' ? { http } : undefined;
    }
    const tls = proxySsl(values, context);
    return tls && { http, tls };
  },
});
