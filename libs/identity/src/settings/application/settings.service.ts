import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Audit, MODULES, type Principal, defineAuditTypes } from '@atrium/platform/access';
import { Database, requireScope, TimeZones, type Precondition } from '@atrium/platform/database';
import { Clock, invalidField, invalidState, type JsonObject } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { wholeBrand, type Brand } from '../domain/brand';
import { refusalByAddress, refusalByMethod } from '../../callers/domain/call-rules';
import { isEmail, normalEmail } from '../../shared/domain/email';
import { changedRules, DEFAULT_RULES, type SecurityChanges, type SecurityRules } from '../../callers/domain/security-rules';
import type { Workspace } from '../domain/workspace';
import { WorkspaceRepository, type LicenceRow, type WorkspaceRow } from '../infrastructure/workspace.repository';
import { WorkspaceOptions, type OptionLine } from './workspace-options';

export const SETTINGS_AUDIT = defineAuditTypes({
  'workspace.updated': 'Settings, rules or options of the workspace were changed.',
  'brand.updated': 'The brand of the workspace was changed.',
});

export interface SettingsFacts {
  readonly ws_name?: string;
  readonly ws_description?: string | null;
  readonly ws_locale?: string;
  readonly ws_timezone?: string;
  readonly ws_contact_email?: string | null;
  readonly ws_metadata?: JsonObject;
  readonly ws_security?: SecurityChanges;
  readonly ws_options?: JsonObject | null;
}

/** The workspace as its administrators see it. */
export type WorkspaceSettings = Omit<WorkspaceRow, 'ws_brand'> & { readonly ws_brand: Brand };

/** A module and what the workspace was granted of it; null all over where it never was. */
export type Licence = Pick<LicenceRow, 'lic_module' | 'lic_active'> & {
  readonly [K in Exclude<keyof LicenceRow, 'lic_module' | 'lic_active'>]: LicenceRow[K] | null;
};

/** How the workspace is set up. Nobody shuts themselves out by a change of its rules. */
@Injectable()
export class SettingsService {
  constructor(
    private readonly db: Database,
    private readonly workspaces: WorkspaceRepository,
    private readonly zones: TimeZones,
    private readonly options: WorkspaceOptions,
    private readonly audit: Audit,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  get(): Promise<WorkspaceSettings> {
    return this.db.read(() => this.read());
  }

  /** What every member may know of it. */
  async getWorkspace(): Promise<Omit<WorkspaceSettings, 'ws_security' | 'ws_seat_limit' | 'ws_external_id'>> {
    const { ws_security: _, ws_seat_limit: __, ws_external_id: ___, ...open } = await this.get();
    return open;
  }

  change(caller: Principal, facts: SettingsFacts, precondition?: Precondition): Promise<WorkspaceSettings> {
    return this.db.write(async () => {
      const workspace = await this.workspaces.lockOwn(precondition);
      const before = await this.told(workspace);
      await this.take(workspace, facts);
      if (facts.ws_security !== undefined) workspace.ws_security = rulesKeeping(caller, workspace.ws_security, facts.ws_security);
      if (facts.ws_options === null) throw invalidField('ws_options', 'must be an object', 'object');
      if (facts.ws_options !== undefined)
        workspace.ws_options = await this.options.changeOptions(caller, workspace.ws_options, facts.ws_options);
      if (this.tell(workspace, before, await this.told(workspace))) await this.workspaces.save(workspace);
      return this.read();
    });
  }

  optionLines(): Promise<OptionLine[]> {
    return this.db.read(async () => this.options.describeOptions((await this.workspaces.readWorkspace()).ws_options));
  }

  /** All modules there are, granted or not. */
  async listModules(): Promise<Licence[]> {
    const granted = new Map((await this.db.read(() => this.workspaces.listLicences())).map((row) => [row.lic_module, row]));
    return MODULES.map((lic_module) => granted.get(lic_module) ?? neverGranted(lic_module));
  }

  private async read(): Promise<WorkspaceSettings> {
    const row = await this.workspaces.readWorkspace();
    const ws_options = await this.options.readValues(row.ws_options);
    return { ...row, ws_security: { ...DEFAULT_RULES, ...row.ws_security }, ws_options, ws_brand: wholeBrand(row.ws_brand) };
  }

  private async take(
    workspace: Workspace,
    { ws_locale, ws_timezone, ws_contact_email, ws_security: _, ws_options: __, ...plain }: SettingsFacts,
  ): Promise<void> {
    Object.assign(workspace, Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined)));
    if (ws_locale !== undefined) workspace.ws_locale = canonicalLocale(ws_locale);
    if (ws_contact_email !== undefined) workspace.ws_contact_email = ws_contact_email === null ? null : address(ws_contact_email);
    if (ws_timezone === undefined || ws_timezone === workspace.ws_timezone) return;
    await this.zones.assertTimeZone('ws_timezone', ws_timezone);
    workspace.ws_timezone = ws_timezone;
  }

  /** What of the workspace an administrator may change, in a form that can be compared. */
  private async told({
    ws_name,
    ws_description,
    ws_locale,
    ws_timezone,
    ws_contact_email,
    ws_metadata,
    ws_security,
    ws_options,
  }: Workspace): Promise<JsonObject> {
    return {
      ws_name,
      ws_description,
      ws_locale,
      ws_timezone,
      ws_contact_email,
      ws_metadata,
      ws_security: { ...ws_security },
      ws_options: await this.options.readValues(ws_options),
    };
  }

  /** Whether anything changed. */
  private tell(workspace: Workspace, before: JsonObject, after: JsonObject): boolean {
    const changed = Object.keys(after).filter((name) => !isDeepStrictEqual(before[name], after[name]));
    if (changed.length === 0) return false;
    workspace.ws_updated = this.clock.now();
    const part = (all: JsonObject): JsonObject => Object.fromEntries(changed.map((name) => [name, all[name] ?? null]));
    this.audit.record({
      type: SETTINGS_AUDIT['workspace.updated'],
      target: { type: 'workspace', id: workspace.ws_id, name: workspace.ws_name },
      before: part(before),
      after: part(after),
    });
    this.outbox.emitEvent({ name: 'workspace.updated', subject_id: workspace.ws_id, payload: { changed } });
    return true;
  }
}

/** The rules after a change; refused when the caller could not come back under them. */
function rulesKeeping(caller: Principal, present: SecurityRules, changes: SecurityChanges): SecurityRules {
  const rules = changedRules(present, changes);
  const refusal =
    (caller.session_id === null ? null : refusalByMethod(rules, caller.methods, true)) ??
    refusalByAddress({ address: requireScope().address?.() }, rules.ip_allow);
  if (refusal) throw invalidState(`This change would end your own access. ${refusal.detail}`);
  return rules;
}

function canonicalLocale(text: string): string {
  try {
    return Intl.getCanonicalLocales(text)[0] ?? text;
  } catch {
    throw invalidField('ws_locale', 'must be a language tag (BCP 47) such as en or pt-BR', 'locale');
  }
}

function address(text: string): string {
  const email = normalEmail(text);
  if (!isEmail(email)) throw invalidField('ws_contact_email', 'must be an e-mail address', 'format');
  return email;
}

const neverGranted = (lic_module: string): Licence => ({
  lic_module,
  lic_starts_at: null,
  lic_expires_at: null,
  lic_source: null,
  lic_note: null,
  lic_active: false,
  lic_created: null,
  lic_updated: null,
});
