/** On a Service in a folder of YAML: `host:port` endpoints, comma separated, for Services without slices. */
export const ENDPOINTS_ANNOTATION = 'ramjet.dev/endpoints';

/** `host:port` or `[v6]:port`. */
export function parseHostPort(text: string): { readonly host: string; readonly port: number } | undefined {
  const match = /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._-]+)):([0-9]{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  const host = match?.[1] ?? match?.[2];
  return host === undefined || port < 1 || port > 65_535 ? undefined : { host, port };
}
