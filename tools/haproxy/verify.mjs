/** Proves that a binary does what Ramjet needs, before anybody relies on it. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { HaproxyError, run, tail } from './common.mjs';

const NEEDED = { Lua: /\+LUA\b/, QUIC: /\+QUIC\b/, OpenSSL: /\+OPENSSL\b/ };

/**
 * @param {string} binary
 * @param {{ loader?: string, libraries?: string }} [place] of a private copy: nothing may come from the system
 */
export async function verifyHaproxy(binary, { loader, libraries } = {}) {
  if (loader && libraries) await verifyLibraries(binary, loader, libraries);
  await verifyFeatures(binary);
  // A unix socket needs no free port; the system's temporary folder keeps its path short enough.
  const folder = mkdtempSync(join(tmpdir(), 'ramjet-haproxy-'));
  try {
    await verifyReload(binary, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} message */
function failed(message) {
  return new HaproxyError('verification', `The provisioned HAProxy doesn't work: ${message}`);
}

/**
 * @param {string} binary
 * @param {string} loader
 * @param {string} libraries
 */
async function verifyLibraries(binary, loader, libraries) {
  const listed = await run(loader, ['--list', binary]);
  const foreign = listed.stdout.split('\n').filter((line) => {
    const target = /=>\s+(\S.*)/.exec(line)?.[1];
    return target !== undefined && !target.startsWith(`${libraries}/`);
  });
  if (!listed.ok) throw failed(tail(listed.output));
  if (foreign.length > 0) throw failed(`libraries missing in ${libraries}:\n${foreign.join('\n')}`);
}

/** @param {string} binary */
async function verifyFeatures(binary) {
  const described = await run(binary, ['-vv']);
  if (!described.ok) throw failed(`haproxy -vv:\n${tail(described.output)}`);
  const missing = Object.entries(NEEDED).filter(([, sign]) => !sign.test(described.stdout));
  if (missing.length > 0) throw failed(`built without ${missing.map(([name]) => name).join(', ')}`);
}

/**
 * @param {string} socket
 * @param {string} answer
 */
function probeConfiguration(socket, answer) {
  return `global
  maxconn 20
  nbthread 1
defaults
  mode http
  timeout client 5s
  timeout connect 5s
  timeout server 5s
frontend probe
  bind unix@${socket}
  http-request return status 200 content-type text/plain string ${answer}
`;
}

/**
 * @param {string} socket
 * @returns {Promise<string>} the body, or why there is none
 */
function ask(socket) {
  return new Promise((done) => {
    const request = get({ socketPath: socket, path: '/', agent: false, timeout: 2000 }, (response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', () => done(response.statusCode === 200 ? body : `status ${response.statusCode}`));
      response.on('error', (error) => done(error.message));
    });
    request.on('timeout', () => request.destroy(new Error('no answer')));
    request.on('error', (error) => done(error.message));
  });
}

/**
 * @param {string} socket
 * @param {string} answer
 * @param {() => string} said
 */
async function waitForAnswer(socket, answer, said) {
  const deadline = Date.now() + 15_000;
  let last = '';
  while (Date.now() < deadline) {
    last = await ask(socket);
    if (last === answer) return;
    await sleep(50);
  }
  throw failed(`expected the answer "${answer}", last got "${last}"\n${tail(said())}`);
}

/**
 * A patched binary may start and still fail to execute itself again: a reload is what an ingress
 * controller lives on, so one is made here.
 *
 * @param {string} binary
 * @param {string} folder
 */
async function verifyReload(binary, folder) {
  const [config, socket] = [join(folder, 'haproxy.cfg'), join(folder, 'http.sock')];
  writeFileSync(config, probeConfiguration(socket, 'first'));
  const checked = await run(binary, ['-c', '-f', config]);
  if (!checked.ok) throw failed(`haproxy -c:\n${tail(checked.output)}`);

  const master = spawn(binary, ['-W', '-f', config], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [master.stdout, master.stderr]) {
    stream.on('data', (chunk) => {
      said += chunk;
    });
  }
  const ended = new Promise((done) => {
    master.once('error', done);
    master.once('exit', done);
  });
  try {
    await waitForAnswer(socket, 'first', () => said);
    writeFileSync(config, probeConfiguration(socket, 'second'));
    master.kill('SIGUSR2');
    await waitForAnswer(socket, 'second', () => said);
  } finally {
    master.kill('SIGTERM');
    const late = setTimeout(() => master.kill('SIGKILL'), 5000);
    await ended;
    clearTimeout(late);
  }
}
