import { isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { pathOf, SettingFault, type Faults } from '@atrium/platform/settings';
import { ownValue, type Field, type FieldOption } from './field';
import type { FieldType } from './field';
import type { FieldTypes } from './field-types';
import { FIELD_FLAGS, rulesOf, type FieldFlag, type FormKind, type KindRules } from './form-kinds';
import { readExpression } from './expression';

export const MOST_FIELDS = 200;
const DEEPEST = 3;
const MOST_OPTIONS = 500;
const KEY = /^[a-z][a-z0-9_]{0,39}$/;
const REFUSED_KEYS: ReadonlySet<string> = new Set(['constructor', 'prototype']);
const COMMON: readonly string[] = ['key', 'type', 'label', 'help', 'default', 'show_if', 'renamed_from'];
const LAYOUT_KEYS: ReadonlySet<string> = new Set(['key', 'type', 'label', 'help', 'show_if']);
const OPTION_KEYS: ReadonlySet<string> = new Set(['value', 'label', 'color', 'active']);

interface Level {
  readonly path: string;
  readonly prefix: string;
  readonly depth: number;
  readonly in_list: boolean;
  /** Flags of the groups and lists around: what protects the whole protects its parts. */
  readonly hidden: boolean;
  readonly sensitive: boolean;
}

/** Reads the fields of a configuration, telling every fault with its path. */
export class FieldReader {
  private count = 0;
  private readonly rules: KindRules;
  /** Flags that the kind knows at all. */
  private readonly known: readonly FieldFlag[];
  private readonly common: ReadonlySet<string>;

  constructor(
    private readonly types: FieldTypes,
    private readonly kind: FormKind,
    private readonly faults: Faults,
  ) {
    this.rules = rulesOf(kind);
    this.known = FIELD_FLAGS.filter((flag) => flag !== 'localized' || this.rules.isLocalized);
    this.common = new Set([...this.known, ...COMMON]);
  }

  readFields(fields: JsonValue, path: string): readonly Field[] {
    const read = this.level(fields, { path, prefix: '', depth: 1, in_list: false, hidden: false, sensitive: false });
    if (this.count > MOST_FIELDS) this.faults.add(path, 'length', `A form can have at most ${MOST_FIELDS} fields, including nested ones.`);
    return read;
  }

  private level(fields: JsonValue, level: Level): readonly Field[] {
    if (!Array.isArray(fields)) {
      this.faults.add(level.path, 'type', 'fields must be a list.');
      return [];
    }
    this.count += fields.length;
    if (this.count > MOST_FIELDS) return [];
    if (level.depth > DEEPEST) {
      this.faults.add(level.path, 'length', `Fields can be nested at most ${DEEPEST} levels deep.`);
      return [];
    }
    const seen = new Set<JsonValue | undefined>();
    const read = (fields as readonly JsonValue[]).flatMap((config, at) => {
      const path = pathOf(level.path, at);
      if (!isObject(config)) this.faults.add(path, 'type', 'A field must be an object.');
      else if (seen.has(ownValue(config, 'key'))) this.faults.add(pathOf(path, 'key'), 'unique', 'Another field has this key.');
      else {
        seen.add(ownValue(config, 'key'));
        const field = this.field(config, path, level);
        return field ? [field] : [];
      }
      return [];
    });
    this.checkRenames(read, level.path);
    return read;
  }

  private field(config: JsonObject, path: string, level: Level): Field | null {
    const [key, name] = [ownValue(config, 'key'), ownValue(config, 'type')];
    if (typeof key !== 'string' || !KEY.test(key) || REFUSED_KEYS.has(key)) {
      this.faults.add(
        pathOf(path, 'key'),
        'format',
        'key must start with a lowercase letter and have at most 40 lowercase letters, digits and underscores.',
      );
      return null;
    }
    const type = typeof name === 'string' ? this.types.find(this.kind, name) : undefined;
    if (!type) {
      const isWithheld = typeof name === 'string' && this.rules.withheldTypes.has(name);
      this.faults.add(
        pathOf(path, 'type'),
        name === undefined ? 'required' : 'option',
        isWithheld ? `The type ${name} is not available in ${this.rules.name}.` : 'type must be one of the types of the form language.',
      );
      return null;
    }
    this.checkKeys(config, type, path);
    this.checkCommon(config, type, path, level);
    return {
      key,
      path: level.prefix + key,
      declared: path,
      type,
      label: textOf(ownValue(config, 'label')) ?? key,
      help: textOf(ownValue(config, 'help')),
      default: ownValue(config, 'default') ?? undefined,
      ...this.flags(config, type, level),
      show_if:
        ownValue(config, 'show_if') === undefined
          ? null
          : readExpression(ownValue(config, 'show_if'), pathOf(path, 'show_if'), this.faults),
      renamed_from: textOf(ownValue(config, 'renamed_from')),
      options: type.takesOptions ? this.options(ownValue(config, 'options'), pathOf(path, 'options')) : [],
      fields: type.takesFields ? this.parts(config, type, path, level, key) : [],
      ...this.settings(config, type, path),
      in_list: level.in_list,
    };
  }

  private flags(config: JsonObject, type: FieldType, level: Level): Pick<Field, FieldFlag> {
    const flag = (name: string, usual = false): boolean => (typeof config[name] === 'boolean' ? config[name] : usual);
    return {
      required: flag('required'),
      read_only: flag('read_only') || (type.readOnly ?? false),
      hidden: flag('hidden') || level.hidden,
      unique: flag('unique'),
      filterable: flag('filterable'),
      searchable: flag('searchable', type.isText ?? false),
      sensitive: flag('sensitive') || level.sensitive,
      localized: flag('localized'),
    };
  }

  private checkKeys(config: JsonObject, type: FieldType, path: string): void {
    const common = type.holds === 'none' ? LAYOUT_KEYS : this.common;
    for (const key of Object.keys(config)) {
      const known =
        common.has(key) ||
        Object.hasOwn(type.settings ?? {}, key) ||
        (key === 'options' && type.takesOptions) ||
        (key === 'fields' && type.takesFields);
      if (!known) this.faults.add(pathOf(path, key), 'unknown_field', `A field of the type ${type.name} has no key ${key}.`);
    }
    for (const key of type.requires ?? [])
      if (ownValue(config, key) === undefined)
        this.faults.add(pathOf(path, key), 'required', `A field of the type ${type.name} requires ${key}.`);
  }

  private checkCommon(config: JsonObject, type: FieldType, path: string, level: Level): void {
    const add = (key: string, code: string, message: string): void => this.faults.add(pathOf(path, key), code, message);
    const label = ownValue(config, 'label');
    if (typeof label !== 'string' || label.trim() === '') add('label', 'required', 'label must be a string.');
    else if (label.length > 120) add('label', 'length', 'label must have at most 120 characters.');
    const help = ownValue(config, 'help');
    if (help !== undefined && help !== null && (typeof help !== 'string' || help.length > 500))
      add('help', 'length', 'help must be a string of at most 500 characters.');
    for (const flag of this.known)
      if (ownValue(config, flag) !== undefined && typeof config[flag] !== 'boolean') add(flag, 'type', `${flag} must be true or false.`);
      else if (config[flag] === true && this.rules.withheldFlags.has(flag))
        add(flag, 'option', `${flag} is not available in ${this.rules.name}.`);
    this.checkLocalized(config, type, path, level);
    if (config.unique === true && !this.rules.withheldFlags.has('unique') && (type.holds !== 'scalar' || level.in_list))
      add('unique', 'option', 'unique is allowed only for fields with a single value outside of lists.');
    if (config.filterable === true && !type.indexed)
      add('filterable', 'option', `Fields of the type ${type.name} cannot be used as filters.`);
    if (type.name === 'auto_number' && level.depth > 1) add('type', 'option', 'auto_number is allowed only at the top level.');
    if (type.readOnly && ownValue(config, 'default') !== undefined)
      add('default', 'option', `A field of the type ${type.name} cannot have a default.`);
    const renamed = ownValue(config, 'renamed_from');
    if (renamed !== undefined && renamed !== null && (typeof renamed !== 'string' || !KEY.test(renamed)))
      add('renamed_from', 'format', 'renamed_from must be a key.');
  }

  /** Other locales have values of their own under the keys of a whole block. */
  private checkLocalized(config: JsonObject, type: FieldType, path: string, level: Level): void {
    if (!this.rules.isLocalized || config.localized !== true) return;
    const add = (message: string): void => this.faults.add(pathOf(path, 'localized'), 'option', message);
    if (level.depth > 1) add('localized is allowed only for fields of the top level.');
    else if (type.localizable === false) add(`Fields of the type ${type.name} cannot be localized.`);
  }

  private checkRenames(fields: readonly Field[], path: string): void {
    const sources = new Set<string>();
    fields.forEach((field, at) => {
      const { renamed_from } = field;
      if (renamed_from === null) return;
      const here = pathOf(pathOf(path, at), 'renamed_from');
      if (fields.some(({ key }) => key === renamed_from)) this.faults.add(here, 'unique', `A field still has the key ${renamed_from}.`);
      if (sources.has(renamed_from)) this.faults.add(here, 'unique', `Two fields are renamed from ${renamed_from}.`);
      sources.add(renamed_from);
    });
  }

  private parts(config: JsonObject, type: FieldType, path: string, level: Level, key: string): readonly Field[] {
    const { hidden, sensitive } = this.flags(config, type, level);
    const below = {
      path: pathOf(path, 'fields'),
      prefix: `${level.prefix}${key}.`,
      depth: level.depth + 1,
      in_list: level.in_list || type.name === 'list',
      hidden,
      sensitive,
    };
    const fields = this.level(ownValue(config, 'fields') ?? [], below);
    if (!fields.some((field) => field.type.holds !== 'none'))
      this.faults.add(below.path, 'required', `A ${type.name} must contain a field.`);
    const by = ownValue(config, 'unique_by');
    if (typeof by === 'string' && !fields.some((field) => field.key === by))
      this.faults.add(pathOf(path, 'unique_by'), 'reference', 'unique_by must name a field of the list.');
    return fields;
  }

  private settings(config: JsonObject, type: FieldType, path: string): Pick<Field, 'settings' | 'prepared'> {
    const settings: Record<string, JsonValue> = {};
    for (const [key, rule] of Object.entries(type.settings ?? {})) {
      const value = ownValue(config, key);
      if (value === undefined || value === null) continue;
      const read = rule(value);
      if (read instanceof SettingFault) this.faults.add(pathOf(path, key), read.code, `${key} ${read.message}.`);
      else settings[key] = read;
    }
    const prepared = type.prepare?.(settings, (key, code, message) => this.faults.add(pathOf(path, key), code, `${key} ${message}`));
    return { settings, prepared };
  }

  private options(options: JsonValue | undefined, path: string): readonly FieldOption[] {
    if (!Array.isArray(options) || options.length === 0 || options.length > MOST_OPTIONS) {
      this.faults.add(path, options === undefined ? 'required' : 'length', `options must be a list of 1 to ${MOST_OPTIONS}.`);
      return [];
    }
    const seen = new Set<string>();
    return (options as readonly JsonValue[]).flatMap((option, at) => {
      const here = pathOf(path, at);
      const read = isObject(option) ? this.option(option, here) : null;
      if (!isObject(option)) this.faults.add(here, 'type', 'An option must be an object.');
      if (read && seen.has(read.value)) this.faults.add(pathOf(here, 'value'), 'unique', 'Another option has this value.');
      if (read) seen.add(read.value);
      return read ? [read] : [];
    });
  }

  private option(option: JsonObject, path: string): FieldOption | null {
    for (const key of Object.keys(option))
      if (!OPTION_KEYS.has(key)) this.faults.add(pathOf(path, key), 'unknown_field', `An option has no key ${key}.`);
    const [value, label, color, active] = ['value', 'label', 'color', 'active'].map((key) => ownValue(option, key));
    if (typeof value !== 'string' || value.trim() !== value || value === '' || value.length > 100)
      this.faults.add(pathOf(path, 'value'), 'type', 'value must be a string of 1 to 100 characters.');
    if (label !== undefined && (typeof label !== 'string' || label === '' || label.length > 120))
      this.faults.add(pathOf(path, 'label'), 'type', 'label must be a string of 1 to 120 characters.');
    if (color !== undefined && color !== null && (typeof color !== 'string' || color.length > 40))
      this.faults.add(pathOf(path, 'color'), 'type', 'color must be a string of at most 40 characters.');
    if (active !== undefined && typeof active !== 'boolean')
      this.faults.add(pathOf(path, 'active'), 'type', 'active must be true or false.');
    if (typeof value !== 'string') return null;
    return {
      value,
      label: typeof label === 'string' ? label : value,
      color: typeof color === 'string' ? color : null,
      active: active !== false,
    };
  }
}

const textOf = (value: JsonValue | undefined): string | null => (typeof value === 'string' ? value : null);
