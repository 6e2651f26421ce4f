/**
 * apt-get with wholly private state: it downloads and verifies packages, and the system's lists,
 * caches, hooks and dpkg database are neither read nor written.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HaproxyError, onPath, run, tail } from './common.mjs';
import { sourceEntry } from './sources.mjs';

/** @typedef {import('./common.mjs').Env} Env */
/** @typedef {import('./sources.mjs').Source} Source */
/**
 * @typedef {object} Machine
 * @property {string} architecture
 * @property {{ list: string, parts: string }} sources
 * @property {string} trust apt.conf lines: where the machine keeps its keys and mirror passwords
 * @property {string} transport apt.conf lines: proxies, TLS, retries
 */

/** How the mirror is reached is the administrator's business; what may be trusted is not negotiable. */
const TRANSPORT =
  /^Acquire::(https?|Retries|ForceIPv[46]|Proxy-Auto-Detect|Check-Valid-Until|Check-Date|M(ax|in)-ValidTime)(::\S+)? ".+";$/i;

/** @param {Env} env */
export function requireApt(env) {
  const missing = ['apt-get', 'apt-cache', 'apt-config', 'dpkg', 'dpkg-deb'].filter((tool) => !onPath(tool, env));
  if (missing.length === 0) return;
  throw new HaproxyError('no-apt', `HAProxy can be fetched on Debian only: ${missing.join(', ')} not found on PATH.`);
}

/**
 * @param {Env} env
 * @returns {Promise<Machine>}
 */
export async function describeMachine(env) {
  const wanted = {
    list: 'SourceList/f',
    parts: 'SourceParts/d',
    trusted: 'Trusted/f',
    trustedParts: 'TrustedParts/d',
  };
  const pairs = Object.entries({ ...wanted, netrc: 'Netrc/f', netrcParts: 'NetrcParts/d' });
  const [places, settings, architecture] = await Promise.all([
    run('apt-config', ['shell', ...pairs.flatMap(([name, key]) => [name, `Dir::Etc::${key}`])], { env }),
    run('apt-config', ['dump'], { env }),
    run('dpkg', ['--print-architecture'], { env }),
  ]);
  /** @param {string} name */
  const place = (name) => new RegExp(`^${name}='(.*)'$`, 'm').exec(places.stdout)?.[1] ?? '';
  return {
    architecture: architecture.stdout.trim(),
    sources: { list: place('list'), parts: place('parts') },
    trust: [
      `Dir::Etc::Trusted "${place('trusted')}";`,
      `Dir::Etc::TrustedParts "${place('trustedParts')}";`,
      `Dir::Etc::Netrc "${place('netrc')}";`,
      `Dir::Etc::NetrcParts "${place('netrcParts')}";`,
    ].join('\n'),
    transport: settings.stdout
      .split('\n')
      .filter((line) => TRANSPORT.test(line))
      .join('\n'),
  };
}

/**
 * @param {string} root
 * @param {Machine} machine
 */
function configuration(root, machine) {
  return `${machine.transport}
Dir::State "${root}/state";
Dir::State::Status "${root}/status";
Dir::Cache "${root}/cache";
Dir::Log "${root}/log";
Dir::Etc "${root}/etc";
Dir::Etc::Main "none.conf";
Dir::Etc::Parts "none.d";
Dir::Etc::SourceList "none.list";
Dir::Etc::SourceParts "sources.d";
Dir::Etc::Preferences "none.pref";
Dir::Etc::PreferencesParts "none.d";
${machine.trust}
APT::Architecture "${machine.architecture}";
APT::Architectures { "${machine.architecture}"; };
APT::Install-Recommends "false";
APT::Get::AllowUnauthenticated "false";
APT::Update::Error-Mode "any";
Acquire::AllowInsecureRepositories "false";
Acquire::AllowWeakRepositories "false";
Acquire::AllowDowngradeToInsecureRepositories "false";
Acquire::Languages "none";
// apt's own download user cannot write below somebody's home.
APT::Sandbox::User "root";
`;
}

/**
 * @param {string} output
 * @param {string} what
 */
function updateFailure(output, what) {
  // Without apt's progress lines, unless there is nothing else.
  const detail = tail(output.match(/^[EW]: .*$/gm)?.join('\n') ?? output);
  if (/NO_PUBKEY|BADSIG|EXPKEYSIG|REVKEYSIG|not signed|verify|is expired|not valid yet/i.test(output)) {
    return new HaproxyError(
      'signature',
      `The signature of ${what} can't be verified with the keys of this machine (is debian-archive-keyring up to date, and the clock right?):\n${detail}`,
    );
  }
  if (/404 |does not have a Release file/i.test(output)) {
    return new HaproxyError('no-package', `The mirror doesn't have ${what}:\n${detail}`);
  }
  return new HaproxyError('unreachable', `The Debian mirror can't be reached for ${what}:\n${detail}`);
}

export class PrivateApt {
  #root;
  #env;
  #machine;

  /**
   * @param {{ root: string, machine: Machine, env: Env }} options root: an empty folder of its own
   */
  constructor({ root, machine, env }) {
    this.#root = root;
    this.#machine = machine;
    const folders = ['state/lists/partial', 'cache/archives/partial', 'log', 'etc/sources.d', 'etc/none.d'];
    for (const folder of folders) mkdirSync(join(root, folder), { recursive: true });
    // Empty: so every dependency down to libc is downloaded, whatever the machine has installed.
    writeFileSync(join(root, 'status'), '');
    writeFileSync(join(root, 'apt.conf'), configuration(root, machine));
    // Read by apt before any other file, so the machine's hooks (docker-clean, appstream …) never run.
    this.#env = {
      ...env,
      APT_CONFIG: join(root, 'apt.conf'),
      LC_ALL: 'C',
      DEBIAN_FRONTEND: 'noninteractive',
    };
  }

  /**
   * @param {Source} source
   * @param {readonly string[]} suites
   */
  async update(source, suites) {
    const entry = sourceEntry(source, suites, this.#machine.architecture);
    writeFileSync(join(this.#root, 'etc/sources.d/debian.sources'), entry);
    const update = await run('apt-get', ['update', '-q'], { env: this.#env });
    if (!update.ok) throw updateFailure(update.output, `Debian ${suites.join(' and ')}`);
  }

  /**
   * @param {string} name
   * @returns {Promise<{ version: string, suite: string }[]>} newest first
   */
  async versions(name) {
    const { stdout } = await run('apt-cache', ['madison', name], { env: this.#env });
    return stdout.split('\n').flatMap((line) => {
      const [, version, place] = line.split('|').map((part) => part.trim());
      const suite = /\s(\S+?)\/main\s/.exec(place ?? '')?.[1];
      return version && suite ? [{ version, suite }] : [];
    });
  }

  /**
   * @param {readonly string[]} packages name or name=version
   * @param {string} suite
   * @returns {Promise<string[]>} paths of the packages and of all they depend on
   */
  async download(packages, suite) {
    const fetchOnly = ['install', '-q', '-y', '--download-only'];
    let result = await run('apt-get', [...fetchOnly, ...packages], { env: this.#env });
    if (/unmet dependencies/.test(result.output)) {
      // A dependency may exist in the package's own, otherwise not preferred, suite only.
      result = await run('apt-get', [...fetchOnly, '-t', suite, ...packages], { env: this.#env });
    }
    if (result.ok) {
      const folder = join(this.#root, 'cache/archives');
      return readdirSync(folder)
        .filter((file) => file.endsWith('.deb'))
        .map((file) => join(folder, file));
    }
    const code = /unmet dependencies|Unable to locate/.test(result.output) ? 'no-package' : 'unreachable';
    throw new HaproxyError(code, `Downloading ${packages.join(' ')} failed:\n${tail(result.output)}`);
  }
}
