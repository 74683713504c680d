import { isObject, type FieldFault, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { Faults, pathOf } from '@atrium/platform/settings';
import { createHash } from 'node:crypto';
import { CompiledForm, type FormRule } from './compiled-form';
import { checkDefaults } from './content-check';
import { type Expression, readExpression } from './expression';
import { ownValue, type Field } from './field';
import { FieldReader, MOST_FIELDS } from './field-reader';
import type { FieldTypes } from './field-types';
import type { FormKind } from './form-kinds';
import { isOpen } from './visible-fields';

const MOST_CONFIG_BYTES = 64 * 1024;
const MOST_RULES = 50;
const KEYS: ReadonlySet<string> = new Set(['version', 'fields', 'title', 'summary', 'layout', 'rules']);
const LAYOUT_KEYS: ReadonlySet<string> = new Set(['label', 'columns', 'fields']);
const RULE_KEYS: ReadonlySet<string> = new Set(['when', 'assert', 'message', 'field']);

export type ReadForm = { readonly form: CompiledForm } | { readonly faults: readonly FieldFault[] };

/** Reads one configuration: every key is checked, and what it says is tried on a sample, before a form comes of it. */
export class FormReader {
  private readonly faults = new Faults();

  constructor(
    private readonly types: FieldTypes,
    private readonly kind: FormKind,
    private readonly now: Date,
  ) {}

  readForm(config: JsonValue, path: string): ReadForm {
    if (!isObject(config)) return { faults: [{ path, code: 'type', message: 'A form must be an object.' }] };
    const text = JSON.stringify(config);
    if (Buffer.byteLength(text) > MOST_CONFIG_BYTES)
      return { faults: [{ path, code: 'length', message: 'A form can have at most 64 KB.' }] };
    for (const key of Object.keys(config))
      if (!KEYS.has(key)) this.faults.add(pathOf(path, key), 'unknown_field', `A form has no key ${key}.`);
    if ((ownValue(config, 'version') ?? 1) !== 1) this.faults.add(pathOf(path, 'version'), 'option', 'version must be 1.');
    const fields = new FieldReader(this.types, this.kind, this.faults).readFields(ownValue(config, 'fields') ?? [], pathOf(path, 'fields'));
    const title = this.title(ownValue(config, 'title'), fields, pathOf(path, 'title'));
    const parts = {
      config,
      hash: createHash('sha256').update(this.kind).update(text).digest('hex'),
      fields,
      title: title && isOpen(title) ? title : null,
      closedTitle: title && !isOpen(title) ? title : null,
      summary: this.named(ownValue(config, 'summary'), fields, pathOf(path, 'summary')),
      rules: this.rules(ownValue(config, 'rules'), fields, pathOf(path, 'rules')),
    };
    this.layout(ownValue(config, 'layout'), fields, pathOf(path, 'layout'));
    if (this.faults.any) return { faults: this.faults.list };
    const form = new CompiledForm(parts);
    this.tryOut(form);
    return this.faults.any ? { faults: this.faults.list } : { form };
  }

  private title(key: JsonValue | undefined, fields: readonly Field[], path: string): Field | null {
    if (key === undefined || key === null) return null;
    const field = fields.find((one) => one.key === key);
    if (!field) this.faults.add(path, 'reference', 'title must be a field of the top level.');
    else if (field.type.holds !== 'scalar')
      this.faults.add(path, 'type', `title must be a field with a single value; ${field.label} is not.`);
    else return field;
    return null;
  }

  private named(keys: JsonValue | undefined, fields: readonly Field[], path: string): readonly Field[] {
    if (keys === undefined || keys === null) return [];
    if (!Array.isArray(keys)) {
      this.faults.add(path, 'type', 'A list of keys is required.');
      return [];
    }
    return (keys as readonly JsonValue[]).flatMap((key, at) => {
      const field = fields.find((one) => one.key === key);
      if (!field) this.faults.add(pathOf(path, at), 'reference', 'The key must belong to a field of the top level.');
      return field ? [field] : [];
    });
  }

  private layout(layout: JsonValue | undefined, fields: readonly Field[], path: string): void {
    for (const [at, part] of this.items(layout, path, MOST_FIELDS)) {
      const here = pathOf(path, at);
      this.closed(part, LAYOUT_KEYS, here);
      const [label, columns] = [ownValue(part, 'label'), ownValue(part, 'columns')];
      if (label !== undefined && (typeof label !== 'string' || label.length > 120))
        this.faults.add(pathOf(here, 'label'), 'type', 'label must be a string of at most 120 characters.');
      if (columns !== undefined && (!Number.isInteger(columns) || Number(columns) < 1 || Number(columns) > 4))
        this.faults.add(pathOf(here, 'columns'), 'type', 'columns must be a whole number from 1 to 4.');
      this.named(ownValue(part, 'fields'), fields, pathOf(here, 'fields'));
    }
  }

  private rules(rules: JsonValue | undefined, fields: readonly Field[], path: string): readonly FormRule[] {
    return this.items(rules, path, MOST_RULES).flatMap(([at, rule]) => {
      const here = pathOf(path, at);
      this.closed(rule, RULE_KEYS, here);
      const [message, field] = [ownValue(rule, 'message'), ownValue(rule, 'field') ?? null];
      if (typeof message !== 'string' || message === '' || message.length > 500)
        this.faults.add(pathOf(here, 'message'), 'required', 'message must be a string of at most 500 characters.');
      if (field !== null && !fields.some(({ key }) => key === field))
        this.faults.add(pathOf(here, 'field'), 'reference', 'field must be a field of the top level.');
      const when = ownValue(rule, 'when') === undefined ? null : readExpression(ownValue(rule, 'when'), pathOf(here, 'when'), this.faults);
      const assert = readExpression(ownValue(rule, 'assert'), pathOf(here, 'assert'), this.faults);
      return assert && typeof message === 'string'
        ? [{ when, assert, message, field: typeof field === 'string' ? field : null, declared: here }]
        : [];
    });
  }

  private items(value: JsonValue | undefined, path: string, most: number): [number, JsonObject][] {
    if (value === undefined || value === null) return [];
    if (!Array.isArray(value) || value.length > most) {
      this.faults.add(path, Array.isArray(value) ? 'length' : 'type', `A list of at most ${most} objects is required.`);
      return [];
    }
    return (value as readonly JsonValue[]).flatMap((item, at): [number, JsonObject][] => {
      if (isObject(item)) return [[at, item]];
      this.faults.add(pathOf(path, at), 'type', 'An object is required.');
      return [];
    });
  }

  private closed(item: JsonObject, keys: ReadonlySet<string>, path: string): void {
    for (const key of Object.keys(item))
      if (!keys.has(key)) this.faults.add(pathOf(path, key), 'unknown_field', `The key ${key} is unknown.`);
  }

  /** Defaults must be values of their own fields, and conditions must give true or false where they give anything. */
  private tryOut(form: CompiledForm): void {
    const { content, faults } = checkDefaults(form, this.now);
    for (const fault of faults) this.faults.add(fault.path, fault.code, fault.message);
    const values = { content, now: this.now };
    for (const field of form.all) this.tryCondition(field.show_if, values, pathOf(field.declared, 'show_if'));
    form.rules.forEach(({ when, assert, declared }) => {
      this.tryCondition(when, values, pathOf(declared, 'when'));
      this.tryCondition(assert, values, pathOf(declared, 'assert'));
    });
  }

  private tryCondition(condition: Expression | null, values: { readonly content: JsonObject; readonly now: Date }, path: string): void {
    const result = condition?.evaluate(values);
    if (result !== undefined && result !== null && typeof result !== 'boolean')
      this.faults.add(path, 'type', `The condition ${condition?.text ?? ''} must return true or false.`);
  }
}
