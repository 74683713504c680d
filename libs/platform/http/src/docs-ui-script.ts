/**
 * Script of the page of the reference. Swagger UI is given the list of operations alone, and each operation whole when it is opened: its
 * own reader takes the document for YAML, keeps all of it in maps of its own, and its resolver prepares it again for every operation.
 */
export const UI_SCRIPT = String.raw`let whole = {};
const at = (node, path) => path.reduce((parent, key) => parent?.[key], node);
const pointed = (ref) => at(whole, ref.slice(2).split('/').map((key) => key.replace(/~1/g, '/').replace(/~0/g, '~')));
const resolved = (node, above = []) => {
  if (Array.isArray(node)) return node.map((item) => resolved(item, above));
  if (node === null || typeof node !== 'object') return node;
  const { $ref, ...own } = node;
  const kept = Object.fromEntries(Object.entries(own).map(([key, value]) => [key, resolved(value, above)]));
  // A property may be called so, and what refers to itself stays a reference there.
  if (typeof $ref !== 'string' || above.includes($ref)) return '$ref' in node ? { ...kept, $ref } : kept;
  return { ...resolved(pointed($ref), [...above, $ref]), ...kept, $$ref: $ref };
};
const resolveSubtree = (_document, path) => Promise.resolve({ spec: resolved(at(whole, path)) ?? null, errors: [] });

const eachValue = (object, change) => Object.fromEntries(Object.entries(object ?? {}).map(([key, value]) => [key, change(value)]));
const listed = ({ operationId, summary, tags, security, deprecated }) => ({ operationId, summary, tags, security, deprecated });
const parseToJson = (original, { specActions }) => (text) => {
  whole = JSON.parse(text);
  groups = new Map((whole['x-tagGroups'] ?? []).flatMap(({ name, tags }) => tags.map((tag) => [tag, name])));
  firstTags = firstOfGroups((whole.tags ?? []).map(({ name }) => name));
  last = undefined;
  specActions.updateJsonSpec({
    ...whole,
    // The page calls the host that it came from, under whatever name.
    servers: [{ url: location.origin, description: 'This service' }],
    paths: eachValue(whole.paths, (item) => eachValue(item, listed)),
    components: { securitySchemes: whole.components?.securitySchemes },
  });
};

// The filter finds operations by method, path, summary and area; every word has to be found.
let groups = new Map();
let firstTags = new Set();
let last;
const MOST_OPENED = 40;
const folded = (text) => (text ?? '').normalize('NFC').toLowerCase();
const isPhrase = (filter) => typeof filter === 'string' && filter.trim() !== '';
const opsFilter = (areas, phrase) => {
  if (last?.phrase === phrase) return last.areas;
  const words = folded(phrase).split(/\s+/).filter(Boolean);
  const says = (...texts) => words.every((word) => texts.some((text) => folded(text).includes(word)));
  const found = areas
    .map((area, tag) =>
      says(tag)
        ? area
        : area.update('operations', (operations) =>
            operations.filter((each) => says(tag, each.get('method'), each.get('path'), each.getIn(['operation', 'summary']))),
          ),
    )
    .filter((area) => area.get('operations').size > 0);
  let count = 0;
  found.forEach((area) => void (count += area.get('operations').size));
  last = { phrase, areas: found, count, first: firstOfGroups([...found.keys()]) };
  return found;
};
const firstOfGroups = (tags) => new Set(tags.filter((tag, at) => groups.has(tag) && tags.findIndex((other) => groups.get(other) === groups.get(tag)) === at));
const isShown = (original) => (state, thing, byDefault) =>
  original(thing, thing[0] === 'operations-tag' && isPhrase(state.get('filter')) && last?.count <= MOST_OPENED ? true : byDefault);

const FilterContainer = (Original, { React }) => (props) => {
  const name = (node) => node?.querySelector('input')?.setAttribute('placeholder', 'Filter by path, summary or area');
  return React.createElement('div', { ref: name }, React.createElement(Original, props));
};
const operations = (Original, { React, layoutSelectors, specSelectors }) => (props) =>
  isPhrase(layoutSelectors.currentFilter()) && specSelectors.taggedOperations().size === 0
    ? React.createElement('h3', { className: 'nothing-found' }, 'No operation matches the filter.')
    : React.createElement(Original, props);
const OperationTag = (Original, { React, layoutSelectors }) => (props) => {
  const first = isPhrase(layoutSelectors.currentFilter()) ? last?.first : firstTags;
  const heading = first?.has(props.tag) ? React.createElement('h2', { className: 'area-group' }, groups.get(props.tag)) : null;
  return React.createElement(React.Fragment, null, heading, React.createElement(Original, props));
};

// Swagger UI shows an answer when it has ended. A stream of events goes on, so that its events are shown as they come, until it is
// cleared or executed again.
const MOST_SHOWN = 100_000;
const REDRAWN_MS = 200;
const followed = new Map();
const follow = (path, method) => {
  followed.get(method + ' ' + path)?.abort();
  const following = new AbortController();
  followed.set(method + ' ' + path, following);
  return following.signal;
};
const showEvents = async (answer, signal, show) => {
  const { url, status, statusText } = answer;
  const headers = Object.fromEntries(answer.headers);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let [text, timer] = ['', undefined];
  const draw = () => {
    timer = undefined;
    if (!signal.aborted) show({ ok: true, url, status, statusText, headers, text });
  };
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      text = (text + piece.value).slice(-MOST_SHOWN);
      timer ??= setTimeout(draw, REDRAWN_MS);
    }
  } catch {
    // The connection broke; what came is shown.
  }
  clearTimeout(timer);
  draw();
};
const never = () => new Promise(() => undefined);
const executeRequest = (original, { specActions }) => (request) => {
  const { pathName, method } = request;
  const signal = follow(pathName, method);
  const userFetch = async (url, options) => {
    // What was cleared or executed again has no answer, and no error either.
    const answer = await fetch(url, { ...options, signal }).catch((error) => (signal.aborted ? never() : Promise.reject(error)));
    if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) return answer;
    void showEvents(answer, signal, (shown) => specActions.setResponse(pathName, method, shown));
    return never();
  };
  return original({ ...request, userFetch });
};
const clearResponse = (original) => (path, method) => {
  follow(path, method);
  return original(path, method);
};

window.ui = SwaggerUIBundle({
  url: '/docs/openapi.json',
  dom_id: '#ui',
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [
    () => ({
      fn: { resolveSubtree, opsFilter },
      wrapComponents: { FilterContainer, operations, OperationTag },
      statePlugins: {
        spec: { wrapActions: { parseToJson, executeRequest, clearResponse } },
        layout: { wrapSelectors: { isShown } },
      },
    }),
  ],
  layout: 'BaseLayout',
  deepLinking: true,
  persistAuthorization: true,
  displayRequestDuration: true,
  displayOperationId: false,
  docExpansion: 'none',
  filter: true,
  tryItOutEnabled: true,
  defaultModelsExpandDepth: -1,
  requestSnippetsEnabled: false,
  syntaxHighlight: { theme: 'nord' },
});
`;
