import { Injectable } from '@nestjs/common';
import { permissionDenied, type Permission, type Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { invalidFields, type FieldFault, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { optionFault, type OptionSchema } from '../domain/workspace-option';
import { WorkspaceRepository } from '../infrastructure/workspace.repository';

/** For an option whose value is kept by its context, as a retention policy is; called within a unit of work. */
export interface OptionStore<T extends JsonValue = JsonValue> {
  /** Null where the workspace has chosen nothing. */
  readOption(): Promise<T | null>;
  /** Null goes back to the default. */
  writeOption(value: T | null): Promise<void>;
}

/** A setting of a workspace, declared by the context that acts on it. */
export interface WorkspaceOption<T extends JsonValue = JsonValue> {
  /** Lower case with underscores; one name for all contexts. */
  readonly key: string;
  readonly schema: OptionSchema;
  readonly default: T;
  /** Who may change it, besides seeing the settings; `admin:settings` unless said otherwise. */
  readonly permission?: Permission;
  readonly description: string;
  /** Without one the value is in the workspace's row. */
  readonly keeper?: OptionStore<T>;
}

/** An option as an administrator sees it. */
export interface OptionLine {
  readonly key: string;
  readonly value: JsonValue;
  readonly default: JsonValue;
  readonly schema: OptionSchema;
  readonly permission: Permission;
  readonly description: string;
}

const KEY = /^[a-z][a-z0-9_]{1,63}$/;

/**
 * Every option of this installation. Each context registers its own at start; a key that nobody registered does not
 * exist, and one that was never set has its default.
 */
@Injectable()
export class WorkspaceOptions {
  private readonly known = new Map<string, WorkspaceOption>();

  constructor(
    private readonly db: Database,
    private readonly workspaces: WorkspaceRepository,
  ) {}

  register<T extends JsonValue>(option: WorkspaceOption<T>): void {
    const { key } = option;
    if (!KEY.test(key)) throw new Error(`${key} is no key of an option.`);
    if (this.known.has(key)) throw new Error(`Two contexts register the option ${key}.`);
    const fault = optionFault(option.schema, option.default);
    if (fault) throw new Error(`The default of the option ${key} ${fault}.`);
    this.known.set(key, option);
  }

  /** The value in the running workspace. */
  readOption<T extends JsonValue>(option: WorkspaceOption<T>): Promise<T> {
    if (!this.known.has(option.key)) throw new Error(`The option ${option.key} is not registered.`);
    return this.db.read(async () => {
      if (option.keeper) return (await option.keeper.readOption()) ?? option.default;
      return ((await this.workspaces.findOption(option.key)) as T | null) ?? option.default;
    });
  }

  /** Every option with its value, by key; within a unit of work. `stored` is what the workspace's row holds. */
  async describeOptions(stored: JsonObject): Promise<OptionLine[]> {
    const options = [...this.known.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
    const lines: OptionLine[] = [];
    for (const option of options) {
      const { key, schema, default: standard, permission = 'admin:settings', description } = option;
      lines.push({ key, value: (await valueOf(option, stored)) ?? standard, default: standard, schema, permission, description });
    }
    return lines;
  }

  async readValues(stored: JsonObject): Promise<JsonObject> {
    return Object.fromEntries((await this.describeOptions(stored)).map(({ key, value }) => [key, value]));
  }

  /** Takes over changes (null: back to the default) and answers what the workspace's row holds from now on; within a writing unit of work. */
  async changeOptions(caller: Principal, stored: JsonObject, changes: JsonObject): Promise<JsonObject> {
    this.assertChanges(caller, changes);
    const kept: Record<string, JsonValue> = { ...stored };
    for (const [key, value] of Object.entries(changes)) {
      const option = this.known.get(key);
      if (option?.keeper) await option.keeper.writeOption(value);
      else if (value === null) delete kept[key];
      else kept[key] = value;
    }
    return kept;
  }

  private assertChanges(caller: Principal, changes: JsonObject): void {
    const faults: FieldFault[] = [];
    const missing = new Set<Permission>();
    for (const [key, value] of Object.entries(changes)) {
      const option = this.known.get(key);
      const fault = option && value !== null ? optionFault(option.schema, value) : null;
      if (!option) faults.push({ path: `ws_options.${key}`, code: 'unknown_field', message: 'is not a known option' });
      else if (fault) faults.push({ path: `ws_options.${key}`, code: 'option', message: fault });
      const permission = option?.permission ?? 'admin:settings';
      if (!caller.permissions.has(permission)) missing.add(permission);
    }
    if (faults.length > 0) throw invalidFields(faults.slice(0, MAX_FAULTS));
    if (missing.size > 0) throw permissionDenied([...missing]);
  }
}

const MAX_FAULTS = 50;

const valueOf = async ({ key, keeper }: WorkspaceOption, stored: JsonObject): Promise<JsonValue> =>
  keeper ? keeper.readOption() : Object.hasOwn(stored, key) ? (stored[key] ?? null) : null;
