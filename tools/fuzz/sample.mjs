// Requests that are right, or nearly so, made from the schemas of the document.

const REFERENCE = '#/components/schemas/';

/** Makes values that fit the schemas; ids of rows that exist are used where names allow. */
export class Sampler {
  constructor(document, harvest) {
    this.document = document;
    this.harvest = harvest;
  }

  resolve(schema) {
    return schema?.$ref ? this.resolve(this.document.components.schemas[schema.$ref.slice(REFERENCE.length)]) : (schema ?? {});
  }

  value(schemaOrReference, name, chance, depth = 0) {
    const schema = this.resolve(schemaOrReference);
    const branch = (schema.allOf ?? schema.anyOf ?? schema.oneOf)?.find((each) => each.type !== 'null');
    if (branch) return this.value(branch, name, chance, depth);
    const types = [schema.type ?? 'string'].flat();
    if (types.includes('null') && chance.oneIn(4)) return null;
    if (schema.enum) return chance.pick(schema.enum);
    if (schema.example !== undefined && chance.oneIn(2)) return schema.example;
    const type = types.find((each) => each !== 'null');
    if (type === 'object') return this.object(schema, chance, depth);
    if (type === 'array')
      return Array.from({ length: Math.max(schema.minItems ?? 1, chance.below(3)) }, () =>
        this.value(schema.items, name.replace(/s$/, ''), chance, depth + 1),
      );
    if (type === 'boolean') return chance.oneIn(2);
    if (type === 'integer' || type === 'number') return Math.min(schema.maximum ?? 1_000, (schema.minimum ?? 0) + chance.below(50));
    return this.text(schema, name, chance);
  }

  object(schema, chance, depth) {
    if (!schema.properties || depth > 4) return schema.example ?? {};
    const names = Object.keys(schema.properties).filter((name) => schema.required?.includes(name) || chance.oneIn(3));
    return Object.fromEntries(names.map((name) => [name, this.value(schema.properties[name], name, chance, depth + 1)]));
  }

  text({ format, maxLength, example }, name, chance) {
    if (format === 'uuid') return this.harvest.id(name, chance);
    if (format === 'date-time') return chance.pick(['2026-03-14T09:26:53.589Z', '2020-01-01', '2030-01-01T00:00:00+02:00']);
    if (name.endsWith('_hash')) return '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
    if (name === 'cursor') return this.harvest.cursor(chance);
    if (example !== undefined) return example;
    return chance.pick(['Harbour', 'notes.md', 'a', 'x y z', 'image/png']).slice(0, maxLength ?? 255);
  }
}

/** Ids and cursors that answers have shown, so that some requests meet rows that are there. */
export class Harvest {
  #ids = new Map();
  #all = [];
  #cursors = [];
  #spared;

  /** `spared` are ids that are never sent, so that the run does not delete what it depends on. */
  constructor(spared = []) {
    this.#spared = new Set(spared);
  }

  id(name, chance) {
    const known = this.#ids.get(name) ?? this.#all;
    return known.length === 0 || chance.oneIn(4) ? chance.id() : chance.pick(known);
  }

  cursor(chance) {
    return this.#cursors.length === 0 ? 'abc' : chance.pick(this.#cursors);
  }

  gather(body) {
    if (typeof body !== 'object' || body === null) return;
    if (typeof body.next_cursor === 'string' && this.#cursors.length < 50) this.#cursors.push(body.next_cursor);
    for (const row of Array.isArray(body.data) ? body.data.slice(0, 3) : [body]) {
      for (const [name, value] of Object.entries(row ?? {}))
        if (/_id$/.test(name) && typeof value === 'string' && value.length === 36) this.#keep(name, value);
    }
  }

  #keep(name, id) {
    if (this.#spared.has(id)) return;
    const known = this.#ids.get(name) ?? [];
    if (known.length < 40 && !known.includes(id)) known.push(id);
    this.#ids.set(name, known);
    if (this.#all.length < 200) this.#all.push(id);
  }
}
