import type { TextForm } from '@atrium/platform/database';
import { invalidFields, type FieldFault, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { PathFault, RowPath } from './row-path';

/** Reads the settings of one object by their keys, collects every fault with its path, and refuses keys that nobody asked for. */
export class SettingReader {
  private readonly known = new Set<string>();

  private constructor(
    private readonly value: JsonObject,
    private readonly at: string,
    private readonly faults: FieldFault[],
  ) {}

  /** What `read` makes of the settings, or `validation_failed` with all of their faults. */
  static read<T>(value: JsonObject, at: string, read: (settings: SettingReader) => T): T {
    const settings = new SettingReader(value, at, []);
    const made = read(settings);
    settings.refuseOthers();
    if (settings.faults.length > 0) throw invalidFields(settings.faults);
    return made;
  }

  text(key: string, { usual, max = 255, form }: { readonly usual?: string; readonly max?: number; readonly form?: TextForm } = {}): string {
    const value = this.taken(key);
    if (value === undefined && usual !== undefined) return usual;
    if (typeof value !== 'string' || value.trim() === '')
      return this.refuse(key, value === undefined ? 'required' : 'type', 'must be a text') ?? '';
    if (value.length > max) return this.refuse(key, 'length', `must have at most ${max} characters`) ?? '';
    if (form && !form.pattern.test(value)) return this.refuse(key, 'format', `must be ${form.words}`) ?? '';
    return value;
  }

  optionalText(key: string, options: { readonly max?: number; readonly form?: TextForm } = {}): string | null {
    return this.has(key) ? this.text(key, options) : (this.taken(key), null);
  }

  choice<C extends string>(key: string, values: readonly C[], usual?: C): C {
    const value = this.taken(key);
    const [first] = values;
    if (value === undefined && usual !== undefined) return usual;
    const found = values.find((one) => one === value);
    if (found !== undefined) return found;
    this.refuse(key, value === undefined ? 'required' : 'option', `must be one of ${values.join(', ')}`);
    return (usual ?? first) as C;
  }

  whole(key: string, { min, max, usual }: { readonly min: number; readonly max: number; readonly usual: number }): number {
    const value = this.taken(key);
    if (value === undefined) return usual;
    if (typeof value !== 'number' || !Number.isInteger(value)) this.refuse(key, 'type', 'must be a whole number');
    else if (value < min || value > max) this.refuse(key, value < min ? 'minimum' : 'maximum', `must be from ${min} to ${max}`);
    else return value;
    return usual;
  }

  number(key: string, { min, max }: { readonly min: number; readonly max: number }): number | null {
    const value = this.taken(key);
    if (value === undefined || value === null) return null;
    if (typeof value === 'number' && value >= min && value <= max) return value;
    this.refuse(key, typeof value === 'number' ? 'range' : 'type', `must be a number from ${min} to ${max}`);
    return null;
  }

  path(key: string, usual?: string): RowPath | null {
    const value = this.taken(key);
    if (value === undefined && usual === undefined) return null;
    const text = value === undefined ? usual : value;
    try {
      if (typeof text === 'string') return RowPath.parse(text);
      this.refuse(key, 'type', 'must be a path, such as $.items');
    } catch (error) {
      if (!(error instanceof PathFault)) throw error;
      this.refuse(key, 'path', error.message);
    }
    return null;
  }

  json(key: string): JsonValue | undefined {
    return this.taken(key);
  }

  /** Settings below a key; of an absent one those of an empty object. */
  within<T>(key: string, read: (settings: SettingReader) => T): T {
    const value = this.taken(key);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (value !== undefined && !isObject) this.refuse(key, 'type', 'must be an object');
    const settings = new SettingReader(isObject ? (value as JsonObject) : {}, `${this.at}.${key}`, this.faults);
    const made = read(settings);
    settings.refuseOthers();
    return made;
  }

  refuse(key: string, code: string, message: string): undefined {
    this.faults.push({ path: `${this.at}.${key}`, code, message: `${key} ${message}.` });
    return undefined;
  }

  private has(key: string): boolean {
    const value = Object.hasOwn(this.value, key) ? this.value[key] : undefined;
    return value !== undefined && value !== null;
  }

  private taken(key: string): JsonValue | undefined {
    this.known.add(key);
    return Object.hasOwn(this.value, key) ? this.value[key] : undefined;
  }

  private refuseOthers(): void {
    for (const key of Object.keys(this.value))
      if (!this.known.has(key))
        this.faults.push({ path: `${this.at}.${key}`, code: 'unknown_field', message: `There is no setting ${key}.` });
  }
}
