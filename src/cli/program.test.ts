import { describe, expect, test } from 'vitest';
import { COMMANDS } from './commands/index.ts';
import { ramjet } from './testing/run.ts';

describe('the command line', () => {
  test('without arguments it prints the commands', async () => {
    const { code, stdout } = await ramjet([]);
    expect(code).toBe(0);
    for (const { name, summary } of COMMANDS) expect(stdout).toContain(`  ${name.padEnd(12)}${summary}\n`);
    expect(stdout).toContain('Usage:\n  ramjet COMMAND [options]\n');
    expect((await ramjet(['--help'])).stdout).toBe(stdout);
  });

  test.each(COMMANDS.map((command) => command.name))('%s has a help with examples, options and usage', async (name) => {
    const { code, stdout, stderr } = await ramjet([name, '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/\n\nExamples:\n {2}# /);
    expect(stdout).toContain(`\n\nUsage:\n  ramjet ${name}`);
    expect((await ramjet(['help', name])).stdout).toBe(stdout);
  });

  test('a misspelt command is answered with the nearest', async () => {
    const { code, stdout, stderr } = await ramjet(['chekc']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe("error: unknown command 'chekc'\n(Did you mean check?)\nSee 'ramjet --help' for usage.\n");
  });

  test.each([
    [['check'], "error: missing required argument 'PATHS'"],
    [['check', '--outptu', 'json', '-'], "error: unknown option '--outptu'\n(Did you mean --output?)"],
    [['check', '-o', 'xml', '-'], "error: option '-o, --output <value>' argument 'xml' is invalid. Allowed choices are text, json, sarif."],
    [['check', '--strict=perhaps', '-'], 'error: --strict: "perhaps" is neither true nor false'],
    [['check', '--ingress-class=', '-'], 'error: --ingress-class ""'],
    [['completion', 'powershell'], 'error: there is completion for bash, zsh, fish; not for "powershell"'],
  ])('%j is refused', async (args, message) => {
    const { code, stdout, stderr } = await ramjet(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.startsWith(message), stderr).toBe(true);
  });

  test('on/off options take values, too', async () => {
    const warning = {
      stdin: 'apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: a}\nspec: {ingressClassName: x, rules: []}\n',
    };
    expect((await ramjet(['check', '--strict', '-'], warning)).code).toBe(1);
    expect((await ramjet(['check', '--strict=true', '-'], warning)).code).toBe(1);
    expect((await ramjet(['check', '--strict=false', '-'], warning)).code).toBe(0);
  });

  test('version', async () => {
    expect((await ramjet(['--version'])).stdout).toMatch(/^[0-9]+\.[0-9]+\.[0-9]+\n$/);
    const { code, stdout } = await ramjet(['version']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ramjet [0-9.]+\nnode [0-9.]+\nhaproxy \S+ \(.*\)\n$/);
    expect(JSON.parse((await ramjet(['version', '-o', 'json'])).stdout)).toMatchObject({ node: process.versions.node });
  });

  test('version says it when the named HAProxy is none', async () => {
    const { code, stdout } = await ramjet(['version', '--haproxy', '/bin/true']);
    expect(code).toBe(0);
    expect(stdout).toContain('haproxy --haproxy: /bin/true is not a HAProxy that runs here.\n');
  });
});
