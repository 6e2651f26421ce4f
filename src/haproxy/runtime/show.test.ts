import { describe, expect, it } from 'vitest';
import { parseInfo, parseMap, parseProcesses, parseServersState, parseStat, parseTable } from './show.ts';

describe('what show prints', () => {
  it('info', () => {
    expect(parseInfo('Name: HAProxy\nVersion: 3.4.7-1\nnode: \nUptime: 0d 0h00m00s\n').get('Version')).toBe('3.4.7-1');
  });

  it('stat: columns by name, quoted text', () => {
    const rows = parseStat('# pxname,svname,status,last_chk,\nb,s1,UP,"a ""b"", c",\nb,BACKEND,,,\n');
    expect(rows.map((row) => Object.fromEntries(row))).toEqual([
      { pxname: 'b', svname: 's1', status: 'UP', last_chk: 'a "b", c' },
      { pxname: 'b', svname: 'BACKEND' },
    ]);
    expect(parseStat('No such proxy.\n')).toEqual([]);
  });

  it('map', () => {
    expect(parseMap('0x7f a/ be|r1 x\n0x80 b/#  2\n')).toEqual([
      { key: 'a/', value: 'be|r1 x' },
      { key: 'b/#', value: ' 2' },
    ]);
  });

  it('table: gpc arrays in order, keys with blanks', () => {
    const table = parseTable(
      '# table: t, type: string, size:100, used:1\n0x7f: key=a use b use=0 exp=0 shard=0 gpc0=4294967295 gpc1=2 gpc2=0 http_req_rate(1000)=3\n',
    );
    expect(table).toMatchObject({ name: 't', type: 'string', size: 100, used: 1 });
    expect(table?.rows[0]).toMatchObject({ key: 'a use b', gpc: [4_294_967_295, 2, 0] });
    expect(table?.rows[0]?.data.get('http_req_rate(1000)')).toBe(3);
    expect(parseTable('No such table\n')).toBeUndefined();
  });

  it('servers state', () => {
    const [row] = parseServersState('1\n# be_id be_name srv_id srv_name srv_addr\n4 b 1 s1 127.0.0.1\n');
    expect(Object.fromEntries(row ?? [])).toEqual({ be_id: '4', be_name: 'b', srv_id: '1', srv_name: 's1', srv_addr: '127.0.0.1' });
  });

  it('proc: after a failed reload too', () => {
    const text = `#<PID>          <type>          <reloads>       <uptime>        <version>
10492           master          2 [failed: 1]   0d00h01m02s     3.2.26-1
# workers
# old workers
10686           worker          1               0d00h00m08s     3.2.26-1
`;
    expect(parseProcesses(text)).toEqual([
      { pid: 10_492, role: 'master', reloads: 2, failed: 1, version: '3.2.26-1' },
      { pid: 10_686, role: 'old-worker', reloads: 1, failed: 0, version: '3.2.26-1' },
    ]);
  });
});
