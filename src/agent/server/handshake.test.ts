import { describe, expect, it } from 'vitest';
import { bytes, framed, short } from '../wire/testing/bytes.ts';
import { run } from './testing/fixture.ts';
import { HELLO, SpopClient } from './testing/spop-client.ts';

const FIN = bytes(0, 0, 0, 1);

describe('handshake', () => {
  it('answers with version 2.0, the smaller size and pipelining', async () => {
    const { client } = await run([], { maxFrameSize: 4096 });
    const small = await client({ maxFrameSize: 300 });
    expect(small.received).toEqual([
      {
        kind: 'agent-hello',
        version: { major: 2, minor: 0 },
        maxFrameSize: 300,
        capabilities: ['pipelining'],
      },
    ]);
    const large = await client({
      supportedVersions: [
        { major: 3, minor: 1 },
        { major: 2, minor: 4 },
      ],
      capabilities: ['async'],
    });
    expect(large.received).toEqual([{ kind: 'agent-hello', version: { major: 2, minor: 0 }, maxFrameSize: 4096, capabilities: [] }]);
  });

  it('answers a health check and closes without a word', async () => {
    const { client, server } = await run([]);
    const check = await client({ healthcheck: true, capabilities: [] });
    await check.closed;
    expect(check.received.map((frame) => frame.kind)).toEqual(['agent-hello']);
    expect(server.stats()).toMatchObject({ healthChecks: 1, protocolErrors: {}, socketErrors: 0 });
  });

  it.each([
    ['another major version', { ...HELLO, supportedVersions: [{ major: 1, minor: 9 }] }, 8, 'unsupported-version'],
    ['too small a frame size', { ...HELLO, maxFrameSize: 255 }, 9, 'bad-max-frame-size'],
    ['a NOTIFY instead', { kind: 'notify', streamId: 1, frameId: 1, messages: [] }, 4, 'unexpected-frame'],
    ['an aborted frame instead', { kind: 'aborted', streamId: 1, frameId: 1 }, 4, 'unexpected-frame'],
    ['a frame of an agent instead', { kind: 'ack', streamId: 1, frameId: 1, actions: [] }, 4, 'unexpected-frame'],
  ] as const)('refuses %s', async (_, frame, status, code) => {
    const { address, server, events } = await run([]);
    const client = await SpopClient.open(address);
    client.send(frame);
    await client.closed;
    expect(client.received).toMatchObject([{ kind: 'agent-disconnect', status }]);
    expect(server.stats().protocolErrors).toEqual({ [code]: 1 });
    expect(events).toMatchObject([{ kind: 'protocol-error', error: { code } }]);
  });

  it.each([
    ['nothing in it', framed(1, FIN, 0, 0), 5],
    ['no size', framed(1, FIN, 0, 0, short('supported-versions'), 8, short('2.0')), 6],
    ['no capabilities', framed(1, FIN, 0, 0, short('supported-versions'), 8, short('2.0'), short('max-frame-size'), 3, 0xff, 9), 7],
    ['no FIN flag', framed(1, 0, 0, 0, 0, 0, 0), 10],
    ['more bytes than allowed', bytes(0, 0, 16, 1), 3],
    ['too few bytes', bytes(0, 0, 0, 3), 4],
  ])('refuses a first frame with %s', async (_, form, status) => {
    const { address } = await run([], { maxFrameSize: 4096 });
    const client = await SpopClient.open(address);
    client.socket.write(form);
    await client.closed;
    expect(client.received).toMatchObject([{ kind: 'agent-disconnect', status }]);
  });

  it('holds the peer to the size that was settled', async () => {
    const { client } = await run([], { maxFrameSize: 4096 });
    const peer = await client({ maxFrameSize: 256 });
    peer.socket.write(bytes(0, 0, 1, 1));
    await peer.closed;
    expect(await peer.frame('agent-disconnect')).toMatchObject({ status: 3 });
  });

  it('refuses a second HELLO', async () => {
    const { client } = await run([]);
    const peer = await client();
    peer.send(HELLO);
    await peer.closed;
    expect(await peer.frame('agent-disconnect')).toMatchObject({ status: 4 });
  });

  it('gives up on a peer that says nothing', async () => {
    const { address, clock, until } = await run([], { helloMs: 5000 });
    const client = await SpopClient.open(address);
    await until((stats) => stats.connections === 1);
    clock.advance(5000);
    await client.closed;
    expect(client.received).toMatchObject([{ kind: 'agent-disconnect', status: 2 }]);
  });

  it('answers HAPROXY-DISCONNECT and closes', async () => {
    const { client, server, events } = await run([]);
    const peer = await client();
    peer.send({ kind: 'haproxy-disconnect', status: 2, message: 'a timeout occurred' });
    await peer.closed;
    expect(await peer.frame('agent-disconnect')).toMatchObject({ status: 0, message: 'normal' });
    expect(server.stats().disconnects).toEqual({ 2: 1 });
    expect(events).toEqual([{ kind: 'peer-disconnect', status: 2, message: 'a timeout occurred' }]);
  });

  it('does not wait for ever for a peer that does not close', async () => {
    const { address, clock, server, until } = await run([], { closeMs: 1000 });
    const client = await SpopClient.open(address);
    client.socket.pause();
    client.socket.allowHalfOpen = true;
    client.socket.write(bytes(0, 0, 0, 0));
    await until((stats) => stats.protocolErrors['frame-too-short'] === 1);
    expect(server.stats().connections).toBe(1);
    clock.advance(1000);
    await until((stats) => stats.connections === 0);
    client.socket.destroy();
  });

  it('notices a connection that ends within a frame', async () => {
    const { client, until } = await run([]);
    const peer = await client();
    peer.socket.end(bytes(0, 0, 0, 20, 3));
    await until((stats) => stats.connections === 0 && stats.protocolErrors.truncated === 1);
  });
});
