import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silence } from './answers.ts';
import { createRuntimeClient } from './client.ts';
import { command } from './codec.ts';

const a = command(['a'], silence);
const b = command(['b'], silence);

describe('the client', () => {
  let dir = '';
  let path = '';
  let server: Server | undefined;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'ramjet-cli-'));
    path = join(dir, 's');
  });
  afterEach(async () => {
    await new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve())));
    server = undefined;
    rmSync(dir, { recursive: true });
  });

  async function serve(answer: (text: string, socket: Socket) => void): Promise<void> {
    server = createServer({ allowHalfOpen: true }, (socket) => socket.on('data', (data) => answer(data.toString(), socket)));
    await new Promise<void>((resolve) => server?.listen(path, resolve));
  }

  it('joins commands into one connection and tells the answers apart', async () => {
    const seen: string[] = [];
    await serve((text, socket) => {
      seen.push(text);
      socket.end('\nno\n\n');
    });
    const replies = await createRuntimeClient({ socketPath: path }).run([a, b]);
    expect(seen).toEqual(['a;b\n']);
    expect(replies).toEqual([
      { ok: true, value: '' },
      { ok: false, error: { code: 'refused', command: 'b', answer: 'no' } },
    ]);
  });

  it('says connect, with nothing sent, if nobody listens or the path is too long', async () => {
    for (const socketPath of [path, `/${'x'.repeat(107)}`]) {
      const [reply] = await createRuntimeClient({ socketPath }).run([a]);
      expect(reply).toMatchObject({ ok: false, error: { code: 'connect', command: 'a' } });
    }
  });

  it('says timeout for every command of a batch that stays unanswered', async () => {
    await serve((_text, socket) => setTimeout(() => socket.destroy(), 200));
    const replies = await createRuntimeClient({ socketPath: path, timeoutMs: 30 }).run([a, b]);
    expect(replies.map((reply) => (reply.ok ? 'ok' : reply.error.code))).toEqual(['timeout', 'timeout']);
  });

  it('says protocol for the commands without an answer', async () => {
    await serve((_text, socket) => socket.end('\n'));
    const replies = await createRuntimeClient({ socketPath: path }).run([a, b]);
    expect(replies.map((reply) => (reply.ok ? 'ok' : reply.error.code))).toEqual(['ok', 'protocol']);
  });

  it('sends nothing of a list with a command above the limit', async () => {
    let connections = 0;
    await serve((_text, socket) => {
      connections += 1;
      socket.end('\n');
    });
    const replies = await createRuntimeClient({ socketPath: path, commandLimit: 10 }).run([a, command(['x'.repeat(10)], silence)]);
    expect(replies.map((reply) => (reply.ok ? 'ok' : reply.error.code))).toEqual(['argument', 'argument']);
    expect(connections).toBe(0);
  });

  it('sends one batch at a time, and nothing between the batches of an exclusive use', async () => {
    const seen: string[] = [];
    let open = 0;
    await serve((text, socket) => {
      open += 1;
      expect(open).toBe(1);
      seen.push(text.trim());
      setTimeout(() => {
        open -= 1;
        socket.end('\n');
      }, 5);
    });
    const client = createRuntimeClient({ socketPath: path });
    await Promise.all([
      client.exclusive(async (run) => {
        await run([a]);
        await run([b]);
      }),
      client.run([command(['c'], silence)]),
      client
        .exclusive((run) => run([a]))
        .then(() => Promise.reject(new Error('caller')))
        .catch(() => undefined),
      client.run([b]),
    ]);
    expect(seen).toEqual(['a', 'b', 'c', 'a', 'b']);
  });
});
