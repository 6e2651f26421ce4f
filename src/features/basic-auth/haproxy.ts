import type { RoutePart, Rule } from '../../haproxy/feature.ts';
import { type AgentMessage, agentVariable, askAgent } from '../../haproxy/feature-agent.ts';
import { field, hasField, plainField, row, rowTable } from '../../haproxy/rows.ts';
import { hap, type Token } from '../../haproxy/tokens.ts';
import { DEADLINE, MAX_HEADER } from './limits.ts';

/** `keep`: the backend sees the password. `realm` is ready to stand between quotes. */
const table = rowTable('basic_auth', 'str', ['list', 'keep', 'realm']);

/** `fhdr`, since `hdr` would cut the value at a comma. */
const message: AgentMessage = {
  name: 'basic-auth',
  args: [
    { name: 'list', sample: plainField(table, 'list') },
    { name: 'authorization', sample: hap`req.fhdr(authorization)` },
  ],
  deadline: DEADLINE,
};

const verdict = agentVariable('basic');

const basicAuth: RoutePart<'basic-auth'> = {
  level: 'route',
  feature: 'basic-auth',
  tables: [table],
  rows: (policy, route) => [
    row(table, route.id, { list: policy.users.id, keep: policy.forward ? 1 : '', realm: quotedText(policy.realm) }),
  ],
  messages: () => [message],
  agent: ({ users }) => ({ handler: 'basic-auth', key: users.id, value: [...users.hashes].map(([user, hash]) => [user, hash.reveal()]) }),
  rules: ({ inUse, lookup }) => [
    auth(hap`http-request set-var(txn.basic_auth) ${lookup(table)} if ${inUse}`),
    // None, several or an endless one can't be right: the agent need not be asked.
    auth(challenge(hap`${inUse} !{ req.fhdr_cnt(authorization) eq 1 }`)),
    auth(challenge(hap`${inUse} { req.fhdr(authorization) -m len gt ${MAX_HEADER} }`)),
    auth(askAgent(message, inUse)),
    auth(challenge(hap`${inUse} { ${verdict} -m str denied }`)),
    // The agent is down, hung, too busy, or does not know the list.
    auth(hap`http-request return status 503 if ${inUse} !{ ${verdict} -m str allowed }`),
    auth(hap`http-request del-header Authorization if ${inUse} !${hasField(table, 'keep')}`),
  ],
};

function auth(line: Token): Rule {
  return { phase: 'auth', line };
}

function challenge(condition: Token): Token {
  return hap`http-request return status 401 hdr WWW-Authenticate 'Basic realm="%[${field(table, 'realm')}]"' if ${condition}`;
}

/** The inside of a quoted-string (RFC 9110, 5.6.4). */
function quotedText(text: string): string {
  return text.replaceAll(/["\\]/g, '\\$&');
}

export const parts = [basicAuth] as const;
