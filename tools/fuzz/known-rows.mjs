// Which rows there are, by the address of each: so that a request reaches the code behind "not found".

const PARAMETER = /\{\w+\}/g;
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-/;
/** As many rows of a kind are remembered. */
const MOST_ROWS = 20;
const NOBODY = '00000000-0000-7000-8000-000000000000';
/** Where rows are listed that a field of such a name means; where not every row of the list will do, which of them. */
const NAMED = [
  [/^node_ids?$/, '/api/v1/sites/{id}/nodes/{node_id}'],
  [/library$/, '/api/v1/content-schema-libraries/{id}'],
  [/^node_template$/, '/api/v1/content-schemas/{id}', ({ tpl_key }) => tpl_key === 'page' || tpl_key === 'article'],
  [/(?:^obj|olf|osr)_forms?$/, '/api/v1/object-schemas/{id}'],
  [/^form_id$/, '/api/v1/object-schemas/{id}'],
  [/^obj_id|objects?$/, '/api/v1/objects/{id}'],
  [/source$|^osr_id$/, '/api/v1/object-sources/{id}'],
  [/_terms$|term_parent|term_id|^under$|reassign_to/, '/api/v1/object-taxonomies/{id}/terms/{term_id}'],
  [/knowledge$|source_ids|ds_id/, '/api/v1/knowledge-bases/{id}'],
  [/agent/, '/api/v1/agents/{id}'],
  [/prompt_categor|pcat/, '/api/v1/prompt-categories/{id}'],
  [/prompt/, '/api/v1/prompts/{id}'],
  [/thread/, '/api/v1/threads/{id}'],
  [/space/, '/api/v1/spaces/{id}'],
  [/person|keep|into/, '/api/v1/people/{id}'],
  [/mt_group/, '/api/v1/admin/media-tag-groups/{id}'],
  [/album|folder/, '/api/v1/albums/{id}'],
  [/file|similar_to|before|after/, '/api/v1/files/{id}'],
  [/role/, '/api/v1/admin/roles/{id}'],
  [/user|member|_by$/, '/api/v1/admin/users/{id}'],
];

/** Remembers rows that answers have shown. */
export class KnownRows {
  #byTemplate = new Map();
  /** What a list showed of a row, by its address. */
  #shown = new Map();
  #templates;

  constructor(paths) {
    this.#templates = paths
      .filter((path) => path.endsWith('}'))
      .map((path) => [path, new RegExp(`^${path.replace(PARAMETER, '([^/]+)')}$`)]);
  }

  /** Every row of an answer: what was created, or a page of a list. */
  gather({ method, path }, { status, location, text, whole }) {
    if (location) this.#keep(location.replace(/^https?:\/\/[^/]+/, ''));
    if (method !== 'GET' || status !== 200 || !whole) return;
    for (const row of pageOf(text).slice(0, MOST_ROWS)) {
      const id = Object.entries(row ?? {}).find(([name, value]) => name.endsWith('_id') && ID.test(String(value)))?.[1];
      if (!id) continue;
      this.#keep(`${path}/${id}`);
      this.#shown.set(`${path}/${id}`, row);
    }
  }

  /** The address of an operation, with the most of it that is known. */
  addressOf(path, nth) {
    for (const template of this.#prefixes(path)) {
      const known = this.#byTemplate.get(template);
      if (known) return known[nth % known.length] + path.slice(template.length).replace(PARAMETER, NOBODY);
    }
    return path.replace(PARAMETER, NOBODY);
  }

  /** The id of a row that a field of the name may mean; undefined where none is known. */
  idOf(name, nth) {
    const [, template, isMeant = () => true] = NAMED.find(([pattern]) => pattern.test(name)) ?? [];
    const known = (this.#byTemplate.get(template) ?? []).filter((address) => isMeant(this.#shown.get(address) ?? {}));
    return known[nth % known.length]?.split('/').at(-1);
  }

  get size() {
    return [...this.#byTemplate.values()].reduce((sum, { length }) => sum + length, 0);
  }

  #prefixes(path) {
    return [...path.matchAll(PARAMETER)].map(({ index, 0: { length } }) => path.slice(0, index + length)).reverse();
  }

  #keep(address) {
    const template = this.#templates.find(([, pattern]) => pattern.test(address))?.[0];
    if (!template || !ID.test(address.split('/').at(-1))) return;
    const known = this.#byTemplate.get(template) ?? [];
    if (known.length < MOST_ROWS && !known.includes(address)) known.push(address);
    this.#byTemplate.set(template, known);
  }
}

function pageOf(text) {
  try {
    const body = JSON.parse(text);
    return Array.isArray(body?.data) ? body.data : [];
  } catch {
    return [];
  }
}
