import { invalidFields, isObject, type FieldFault, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { Faults, pathOf } from './faults';
import { SettingFault, type Setting } from './setting';

/** Settings by their keys. */
export type SettingShape = Readonly<Record<string, Setting<unknown>>>;

/** What `readShape` returns: the values of the settings that are set. */
export type ShapeValues<S extends SettingShape> = { readonly [K in keyof S]?: Exclude<ReturnType<S[K]>, SettingFault> };

/** Reads the settings of one object by their keys, collects every fault with its path, and refuses keys that it was not asked for. */
export class SettingReader {
  private readonly known = new Set<string>();

  private constructor(
    private readonly settings: JsonObject,
    private readonly at: string,
    private readonly faults: Faults,
  ) {}

  /** What `read` makes of the settings; `at` is their path in the request. Throws `validation_failed` with all of their faults. */
  static read<T>(settings: JsonObject, at: string, read: (settings: SettingReader) => T): T {
    const faults = new Faults();
    const made = new SettingReader(settings, at, faults).readAll(read);
    if (faults.any) throw invalidFields(faults.list);
    return made;
  }

  /** Everything that is wrong with the settings, at most 100 entries. */
  static faultsOf(settings: JsonObject, at: string, read: (settings: SettingReader) => unknown): FieldFault[] {
    const faults = new Faults();
    new SettingReader(settings, at, faults).readAll(read);
    return [...faults.list];
  }

  get hasFaults(): boolean {
    return this.faults.any;
  }

  /** Whether a setting is set, to anything but null. */
  has(key: string): boolean {
    const value = this.raw(key);
    return value !== undefined && value !== null;
  }

  /** The setting as it was sent; undefined if it is not set. */
  raw(key: string): JsonValue | undefined {
    this.known.add(key);
    return Object.hasOwn(this.settings, key) ? this.settings[key] : undefined;
  }

  /** A setting that must be set. If it is missing or wrong, the stand-in lets the reading go on; the fault refuses the whole. */
  required<T>(key: string, setting: Setting<T>, standIn: NoInfer<T>): T {
    const value = this.raw(key);
    if (value !== undefined) return this.readBy(setting, key, value) ?? standIn;
    this.refuse(key, 'required', 'is missing');
    return standIn;
  }

  /** A setting with a default. Null is refused. */
  defaulted<T>(key: string, setting: Setting<T>, fallback: NoInfer<T>): T {
    return this.optional(key, setting) ?? fallback;
  }

  /** A setting that may be omitted. Null is refused. */
  optional<T>(key: string, setting: Setting<T>): T | undefined {
    const value = this.raw(key);
    return value === undefined ? undefined : this.readBy(setting, key, value);
  }

  /** A setting that may be omitted or null. */
  nullable<T>(key: string, setting: Setting<T>): T | null {
    const value = this.raw(key);
    return value === undefined || value === null ? null : (this.readBy(setting, key, value) ?? null);
  }

  /** Several settings that may each be omitted. Null is refused. */
  readShape<S extends SettingShape>(shape: S): ShapeValues<S> {
    const values: ShapeValues<S> = {};
    for (const [key, setting] of Object.entries(shape)) {
      const value = this.optional(key, setting);
      if (value !== undefined) Object.assign(values, { [key]: value });
    }
    return values;
  }

  /** Settings of the object below a key; if it is not set, those of an empty object. */
  within<T>(key: string, read: (settings: SettingReader) => T): T {
    const value = this.raw(key);
    const isRead = value === undefined || isObject(value);
    if (!isRead) this.refuse(key, 'type', 'must be an object');
    const below = new SettingReader(isObject(value) ? value : {}, pathOf(this.at, key), isRead ? this.faults : new Faults());
    return below.readAll(read);
  }

  /** Adds a fault that no single setting can see, such as two settings that exclude each other. */
  refuse(key: string, code: string, message: string): undefined {
    this.faults.add(pathOf(this.at, key), code, message);
    return undefined;
  }

  private readAll<T>(read: (settings: SettingReader) => T): T {
    const made = read(this);
    const known = [...this.known];
    for (const key of Object.keys(this.settings))
      if (!this.known.has(key))
        this.refuse(key, 'unknown_field', known.length > 0 ? `is unknown; known settings: ${known.join(', ')}` : 'is unknown');
    return made;
  }

  private readBy<T>(setting: Setting<T>, key: string, value: JsonValue): T | undefined {
    const read = setting(value);
    return read instanceof SettingFault ? this.refuse(key, read.code, read.message) : read;
  }
}
