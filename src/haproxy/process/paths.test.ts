import { describe, expect, it } from 'vitest';
import { runPaths } from './paths.ts';
import { isOurs } from './proc-table.ts';

describe('paths', () => {
  it('fit what HAProxy can bind, or are refused', () => {
    const of = (bytes: number) => `/${'x'.repeat(bytes - '/master.sock'.length - 1)}`;
    expect(runPaths(of(95))).toMatchObject({ ok: true });
    expect(runPaths(of(96))).toMatchObject({ ok: false, error: { code: 'path' } });
    for (const dir of ['relative', '/with blank', '/with,comma', '/with*star'])
      expect(runPaths(dir)).toMatchObject({ ok: false, error: { code: 'path' } });
  });

  it('say which process is ours', () => {
    const argv = ['/bin/haproxy', '-sf', '12', '-x', 'sockpair@3', '-W', '-S', '/run/a/master.sock,mode,600', '-f', '/x.cfg'];
    expect(isOurs(argv, '/run/a/master.sock')).toBe(true);
    expect(isOurs(argv, '/run/a/master.soc')).toBe(false);
    expect(isOurs(['vi', '/run/a/master.sock'], '/run/a/master.sock')).toBe(false);
  });
});
