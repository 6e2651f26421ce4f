import { describe, expect, it } from 'vitest';
import { parseAlerts, refusals } from './alerts.ts';

describe('alerts', () => {
  it('carry file and line where HAProxy names them', () => {
    const text = `[NOTICE]   (10760) : haproxy version is 3.2.26-1
[ALERT]    (10760) : config : parsing [/tmp/rt/bad.cfg:1]: unknown keyword 'bogus' out of section.
[ALERT]    (10755) : config : parsing [/tmp/h.cfg:24] : unknown keyword 'bogus' in 'backend' section
[ALERT]    (10691) : Binding [/tmp/h.cfg:11] for frontend f: protocol tcpv4: cannot bind socket (Cannot assign requested address) for [10.255.255.1:99].
[ALERT]    (11418) : config : parsing [/tmp/h.cfg:24]: unparsable conditional expression 'bogus(' in '.if' at position 1:
  .if bogus(
      ^
[ALERT]    (10760) : config : Error(s) found in configuration file : /tmp/rt/bad.cfg
[ALERT]    (10760) : config : Fatal errors found in configuration.
`;
    const alerts = refusals(parseAlerts(text));
    expect(alerts.map(({ file, line }) => [file, line])).toEqual([
      ['/tmp/rt/bad.cfg', 1],
      ['/tmp/h.cfg', 24],
      ['/tmp/h.cfg', 11],
      ['/tmp/h.cfg', 24],
    ]);
    expect(alerts[0]?.message).toBe("unknown keyword 'bogus' out of section.");
    expect(alerts[2]?.message).toMatch(/^Binding for frontend f: .*cannot bind socket/);
    expect(alerts[3]?.message).toMatch(/\n {2}\.if bogus\(/);
  });

  it('stand without a place where there is none', () => {
    expect(
      parseAlerts('[ALERT] (1) : config : Cannot open configuration file/directory /no.cfg : No such file or directory\nnoise'),
    ).toEqual([{ level: 'alert', message: 'Cannot open configuration file/directory /no.cfg : No such file or directory\nnoise' }]);
  });
});
