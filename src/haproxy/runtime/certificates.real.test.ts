import { connect as tlsConnect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { selfSigned } from '../../testing/self-signed.ts';
import { type Fixture, startFixture, VERSIONS } from '../process/testing/fixture.ts';
import { setEntryCommand } from './certificate-commands.ts';
import type { Result } from './result.ts';

const OK = { ok: true };

function refused(answer: string | RegExp): object {
  return { ok: false, error: { code: 'refused', answer: typeof answer === 'string' ? answer : expect.stringMatching(answer) } };
}

const ARGUMENT = { ok: false, error: { code: 'argument' } };

function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.error.command}: ${result.error.code}: ${result.error.answer}`);
  return result.value;
}

function servedSubject(port: number, servername: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = tlsConnect({ host: '127.0.0.1', port, servername, rejectUnauthorized: false }, () => {
      const { CN } = socket.getPeerCertificate().subject;
      socket.destroy();
      resolve(String(CN));
    });
    socket.on('error', reject);
  });
}

describe.each(VERSIONS)('certificates on HAProxy %s', (version) => {
  let haproxy: Fixture;
  beforeAll(async () => {
    haproxy = await startFixture(version);
  });
  afterAll(() => haproxy.close());

  it('upsert, serve, rotate, remove', async () => {
    const { commands, crtList, tlsPort } = haproxy;
    const line = { certificate: 'virt/a.pem', options: ['alpn', 'h2,http/1.1'], names: ['a.example', '*.a.example'] };
    expect(await commands.addCrtListLine(crtList, line)).toMatchObject(refused(/certificate 'virt\/a.pem' does not exist/));
    expect(await commands.upsertCertificate('virt/a.pem', 'garbage\n')).toMatchObject(refused(/Can't update virt\/a.pem!$/));
    expect(value(await commands.showStore('cert'))).not.toContain('virt/a.pem');
    expect(await commands.upsertCertificate('virt/a.pem', selfSigned('a.example'))).toMatchObject(OK);
    expect(await commands.addCrtListLine(crtList, line)).toMatchObject(OK);
    expect(await commands.addCrtListLine('/no.list', line)).toMatchObject(refused(/crt-list '\/no.list' does not exist/));
    expect(await servedSubject(tlsPort, 'x.a.example')).toBe('a.example');
    expect(await servedSubject(tlsPort, 'other.example')).toBe('default.example');
    expect(await commands.upsertCertificate('virt/a.pem', selfSigned('rotated.example'))).toMatchObject(OK);
    expect(await servedSubject(tlsPort, 'a.example')).toBe('rotated.example');
    // A failed rotation leaves what is served.
    expect(await commands.upsertCertificate('virt/a.pem', 'garbage\n')).toMatchObject({ ok: false });
    expect(await servedSubject(tlsPort, 'a.example')).toBe('rotated.example');
    expect(await commands.deleteCertificate('virt/a.pem')).toMatchObject(refused(/in use, can't be deleted!/));
    await commands.addCrtListLine(crtList, { ...line, names: ['b.example'] });
    expect(value(await commands.showCrtList(crtList)).map(({ names }) => names)).toEqual([[], line.names, ['b.example']]);
    expect(await commands.removeCrtListLine(crtList, { certificate: 'virt/a.pem', names: ['*.a.example', 'a.example'] })).toEqual({
      ok: true,
      value: 1,
    });
    expect(await commands.removeCrtListLine(crtList, { certificate: 'virt/a.pem', names: ['b.example'] })).toEqual({ ok: true, value: 1 });
    expect(await commands.removeCrtListLine(crtList, { certificate: 'virt/a.pem', names: ['b.example'] })).toEqual({ ok: true, value: 0 });
    expect(await servedSubject(tlsPort, 'a.example')).toBe('default.example');
    expect(await commands.deleteCertificate('virt/a.pem')).toMatchObject(OK);
    expect(await commands.deleteCertificate('virt/a.pem')).toMatchObject(OK);
    expect(await commands.upsertCertificate('virt/a.pem', `${selfSigned('a.example')}\n#${'x'.repeat(14_000)}`)).toMatchObject(ARGUMENT);
  });

  it('many at once, one transaction at a time, after one that was left open', async () => {
    const { client, commands } = haproxy;
    await commands.upsertCertificate('virt/left.pem', selfSigned('a.example'));
    expect(await client.run([setEntryCommand('cert', 'virt/left.pem', selfSigned('a.example'))])).toMatchObject([OK]);
    const paths = Array.from({ length: 20 }, (_, index) => `virt/many${String(index)}.pem`);
    const done = await Promise.all(paths.map((path) => commands.upsertCertificate(path, selfSigned('a.example'))));
    expect(done.every((one) => one.ok)).toBe(true);
    const gone = await Promise.all([...paths, 'virt/left.pem'].map((path) => commands.deleteCertificate(path)));
    expect(gone.every((one) => one.ok)).toBe(true);
  });

  it('CA files: also bundles larger than one command', async () => {
    const { commands } = haproxy;
    const authority = (index: number) => selfSigned(`ca${String(index)}.example`).replace(/-----BEGIN PRIVATE KEY[\s\S]*/, '');
    const bundle = Array.from({ length: 30 }, (_, index) => `# number ${String(index)}\n${authority(index % 6)}`).join('\n');
    expect(bundle.length).toBeGreaterThan(14_000);
    expect(await commands.upsertCaFile('virt/ca.pem', bundle)).toMatchObject(OK);
    expect(await commands.upsertCaFile('virt/ca.pem', authority(0))).toMatchObject(OK);
    expect(await commands.upsertCaFile('virt/ca.pem', 'garbage\n')).toMatchObject(refused(/Invalid payload/));
    expect(
      await commands.addServer('empty', 'tls', '127.0.0.1', 81, ['ssl', 'verify', 'required', 'ca-file', 'virt/ca.pem']),
    ).toMatchObject(OK);
    // HAProxy lets a CA of a server go (the server keeps its copy), and holds on to one of a crt-list.
    const line = { certificate: 'virt/mtls.pem', options: ['verify', 'optional', 'ca-file', 'virt/ca.pem'], names: ['mtls.example'] };
    expect(await commands.upsertCertificate('virt/mtls.pem', selfSigned('a.example'))).toMatchObject(OK);
    expect(await commands.addCrtListLine(haproxy.crtList, line)).toMatchObject(OK);
    expect(await commands.deleteCaFile('virt/ca.pem')).toMatchObject(refused(/in use, can't be deleted!/));
    expect(await commands.removeCrtListLine(haproxy.crtList, line)).toEqual({ ok: true, value: 1 });
    expect(await commands.removeServer('empty', 'tls', 1_000)).toEqual({ ok: true, value: 'removed' });
    expect(await commands.deleteCaFile('virt/ca.pem')).toMatchObject(OK);
    expect(await commands.deleteCaFile('virt/ca.pem')).toMatchObject(OK);
  });
});
