// The page asks the admin port every two seconds and draws what it says. Text goes in as text, never as markup.

const SHOWN = 200;
const PERIOD = 2000;
const byId = (id) => document.getElementById(id);
let before = new Map();
let beforeAt = 0;

function element(tag, content, className) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (Array.isArray(content)) node.append(...content);
  else if (content !== undefined) node.textContent = content;
  return node;
}

async function load(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response.json();
}

function total(requests) {
  return Object.values(requests).reduce((sum, count) => sum + count, 0);
}

function splitCell(route) {
  if (route.canaries.length === 0) return element('td', '—');
  const parts = route.canaries.map(({ weight, total: of, backend }) => ({ percent: (100 * weight) / of, backend }));
  const bar = element(
    'div',
    parts.map(({ percent }) => {
      const part = element('i');
      part.style.width = `${percent}%`;
      return part;
    }),
    'split',
  );
  return element('td', [parts.map(({ percent, backend }) => `${percent.toFixed(percent % 1 === 0 ? 0 : 1)} % ${backend}`).join(', '), bar]);
}

function routeRow(route, rates) {
  const rate = rates.get(route.id);
  const sum = total(route.requests);
  const errors = sum === 0 ? 0 : (100 * route.requests['5xx']) / sum;
  const target = route.closed ? `closed, ${route.closed}` : (route.backend ?? 'no such Service, 503');
  const name = element('td', [`${route.host}${route.path}`, element('small', route.object)]);
  const backend = element('td', [
    target,
    element('small', `${route.endpoints} ready${route.policies.length ? `, ${route.policies.join(', ')}` : ''}`),
  ]);
  if (route.closed || route.endpoints === 0) backend.classList.add('bad');
  return element('tr', [
    name,
    backend,
    splitCell(route),
    element('td', rate === undefined ? '' : rate.toFixed(1)),
    element('td', `${errors.toFixed(errors > 0 && errors < 10 ? 1 : 0)} %`, errors > 1 ? 'bad' : ''),
    element('td', route.meanMilliseconds === null ? '' : `${route.meanMilliseconds} ms`),
  ]);
}

function drawRoutes(routes) {
  const now = performance.now();
  const rates = new Map();
  for (const route of routes) {
    const last = before.get(route.id);
    if (last !== undefined && now > beforeAt) rates.set(route.id, (1000 * Math.max(0, total(route.requests) - last)) / (now - beforeAt));
  }
  before = new Map(routes.map((route) => [route.id, total(route.requests)]));
  beforeAt = now;
  const words = byId('search').value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = routes.filter((route) =>
    words.every((word) => `${route.host}${route.path} ${route.object} ${route.backend}`.toLowerCase().includes(word)),
  );
  byId('routes').replaceChildren(...found.slice(0, SHOWN).map((route) => routeRow(route, rates)));
  byId('more').hidden = found.length <= SHOWN;
  byId('more').textContent = `${found.length - SHOWN} more; search to see them.`;
  return found.length;
}

function drawDiagnostics(diagnostics) {
  const order = { error: 0, warning: 1, info: 2 };
  const sorted = [...diagnostics].sort((a, b) => order[a.severity] - order[b.severity]).slice(0, SHOWN);
  const items = sorted.map(({ severity, code, origin, message, hint }) =>
    element('li', [`${origin.kind} ${origin.namespace}/${origin.name}: ${message}`, element('small', `${code}. ${hint}`)], severity),
  );
  byId('diagnostics').replaceChildren(...(items.length ? items : [element('li', 'Nothing to mend.')]));
}

function drawGenerations(generations) {
  const items = generations.slice(0, 20).map((one) => {
    const reasons = one.reasons.map(({ reason, object }) => (object ? `${reason} by ${object}` : reason)).join(', ');
    const how = one.how === 'reload' ? `reload (${reasons})` : one.how;
    return element('li', [
      `${one.number}: ${one.changes.slice(0, 4).join('; ')}${one.changes.length > 4 ? ` and ${one.changes.length - 4} more` : ''}`,
      element('small', `${new Date(one.at).toLocaleTimeString()}, ${how}, ${one.milliseconds} ms`),
    ]);
  });
  byId('generations').replaceChildren(...items);
}

async function refresh() {
  try {
    const [routes, diagnostics, generations] = await Promise.all([
      load('admin/routes'),
      load('admin/diagnostics'),
      load('admin/generations'),
    ]);
    drawRoutes(routes);
    drawDiagnostics(diagnostics);
    drawGenerations(generations);
    const errors = diagnostics.filter((one) => one.severity === 'error').length;
    byId('summary').textContent =
      `${routes.length} routes, ${routes.filter((one) => one.canaries.length > 0).length} with a canary, ${errors} errors, generation ${generations[0]?.number ?? 0}`;
  } catch (error) {
    byId('summary').textContent = `The admin port does not answer: ${error.message}`;
  }
}

byId('search').addEventListener('input', () => void refresh());
setInterval(() => void refresh(), PERIOD);
void refresh();
