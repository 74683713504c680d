import { Injectable } from '@nestjs/common';
import { Audit, changesBetween, isModule, MODULES } from '@atrium/platform/access';
import { Database, enterWorkspace, TimeZones, violatesConstraint, type Page } from '@atrium/platform/database';
import { alreadyExists, Ids, invalidField, Problem, type JsonObject } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { noSuchWorkspace } from '../domain/workspace-life';
import { Passwords } from '../../sign-in/infrastructure/passwords';
import {
  WorkspaceLifeRows,
  type OperatedWorkspace,
  type PurgeProgress,
  type SeatCounts,
  type WorkspaceFilters,
} from '../infrastructure/workspace-life.rows';
import { BUILT_IN_ROLES } from '../../roles/application/built-in-roles';
import { WorkspaceCounters, type WorkspaceCounts } from './workspace-counters';
import { assertName, checkedEmail, WorkspaceOwners } from './workspace-owners';
import { WORKSPACES_AUDIT } from './workspaces.audit';
import { WorkspaceStarts } from './workspace-starts';

export interface WorkspaceOwner {
  readonly user_email: string;
  readonly user_name: string;
  /** Without one the owner is invited. */
  readonly password?: string | undefined;
}

export interface WorkspaceOrder {
  readonly ws_name: string;
  readonly ws_slug: string;
  readonly owner: WorkspaceOwner;
  readonly ws_modules?: readonly string[] | undefined;
  readonly ws_seat_limit?: number | null | undefined;
  readonly ws_timezone?: string | undefined;
  readonly ws_locale?: string | undefined;
  readonly initial_credits?: number | null | undefined;
  readonly ws_external_id?: string | null | undefined;
}

export interface WorkspaceFacts {
  readonly ws_name?: string | undefined;
  readonly ws_slug?: string | undefined;
  readonly ws_seat_limit?: number | null | undefined;
  readonly ws_external_id?: string | null | undefined;
  readonly ws_metadata?: JsonObject | undefined;
}

/** A workspace as operators see it. */
export type WorkspaceAnswer = OperatedWorkspace & {
  readonly ws_seats_used: number;
  readonly ws_modules: readonly string[];
  readonly counts: WorkspaceCounts;
};

export type WorkspaceDetail = WorkspaceAnswer & { readonly purge: PurgeProgress['ws_purge'] | null };

export interface MadeWorkspace {
  readonly workspace: WorkspaceDetail;
  readonly owner_user_id: string | null;
  /** Shown once, to the operator who created the workspace for an owner without a password. */
  readonly invite_url: string | null;
  /** False when it was there already, under the same outside reference. */
  readonly made: boolean;
}

/** Workspaces from the outside: what operators create, read and change. */
@Injectable()
export class Workspaces {
  constructor(
    private readonly db: Database,
    private readonly rows: WorkspaceLifeRows,
    private readonly starts: WorkspaceStarts,
    private readonly counters: WorkspaceCounters,
    private readonly owners: WorkspaceOwners,
    private readonly zones: TimeZones,
    private readonly passwords: Passwords,
    private readonly audit: Audit,
    private readonly outbox: Outbox,
    private readonly ids: Ids,
  ) {}

  /** One workspace for one outside reference, however often it is asked for. */
  async create(order: WorkspaceOrder): Promise<MadeWorkspace> {
    const known = await this.knownAs(order.ws_external_id);
    if (known) return known;
    const { password, user_email, user_name } = order.owner;
    if (password !== undefined) await this.passwords.assertStrong(password, [user_email, user_name], 'owner.password');
    try {
      const { ws_id, owner_user_id, invite_url } = await this.provisionWorkspace(order);
      return { workspace: await this.get(ws_id), owner_user_id, invite_url, made: true };
    } catch (error) {
      const meanwhile = error instanceof Problem && error.code === 'already_exists' ? await this.knownAs(order.ws_external_id) : null;
      if (meanwhile) return meanwhile;
      throw error;
    }
  }

  /** Makes a workspace with roles, owner, licences and all that the contexts begin with, in one transaction. */
  async provisionWorkspace(order: WorkspaceOrder): Promise<{ ws_id: string; owner_user_id: string; invite_url: string | null }> {
    const {
      ws_name,
      ws_slug,
      ws_modules = [],
      ws_seat_limit = null,
      ws_timezone = 'UTC',
      initial_credits = null,
      ws_external_id = null,
    } = order;
    const unknown = ws_modules.find((module) => !isModule(module));
    if (unknown) throw invalidField('ws_modules', `${unknown} is not one of ${MODULES.join(', ')}`, 'choice');
    assertName('ws_name', ws_name);
    const owner = await this.ownerSpec(order.owner);
    const ws_id = this.ids.next();
    const roles = BUILT_IN_ROLES.map((role) => ({ ...role, role_id: this.ids.next() }));
    const spec = {
      ws_id,
      ws_name,
      ws_slug,
      modules: ws_modules,
      ws_seat_limit,
      ws_timezone,
      ws_locale: canonicalLocale(order.ws_locale),
      ws_external_id,
      roles,
      owner: { ...owner, role_keys: ['owner'], vouched: order.owner.password !== undefined },
    };
    return enterWorkspace(ws_id, () =>
      this.db.write(async () => {
        await this.zones.assertTimeZone('ws_timezone', ws_timezone);
        const made = await this.rows.insertWorkspace(spec).catch((error: unknown) => {
          throw refusalOf(error, order);
        });
        const owner_user_id = made?.user_id ?? '';
        const invite_url = order.owner.password === undefined ? await this.owners.inviteMember(owner_user_id) : null;
        this.audit.record({
          type: WORKSPACES_AUDIT['workspace.created'],
          target: { type: 'workspace', id: ws_id, name: ws_name },
          after: { ws_name, ws_slug, ws_external_id, ws_modules: [...ws_modules], owner: owner.user_email },
        });
        this.outbox.emitEvent({ name: 'workspace.created', subject_id: ws_id, payload: { ws_name, ws_slug } });
        await this.starts.setUpWorkspace({ ws_id, owner_user_id, initial_credits });
        return { ws_id, owner_user_id, invite_url };
      }),
    );
  }

  /** All workspaces, latest first, with their numbers in a constant count of statements. */
  async list(
    filters: WorkspaceFilters & { readonly cursor?: string | undefined; readonly limit?: number | undefined },
  ): Promise<Page<WorkspaceAnswer>> {
    const page = await this.rows.listWorkspaces(filters, filters);
    return { ...page, data: await this.counted(page.data) };
  }

  async get(ws_id: string): Promise<WorkspaceDetail> {
    const row = await enterWorkspace(ws_id, () => this.db.read(() => this.rows.findCurrentWorkspace()));
    if (!row) throw noSuchWorkspace();
    const [answer] = await this.counted([row]);
    const purge = row.ws_status === 'deleting' ? await this.rows.findPurgeProgress(ws_id) : undefined;
    return { ...(answer as WorkspaceAnswer), purge: purge?.ws_purge ?? null };
  }

  async change(ws_id: string, facts: WorkspaceFacts): Promise<WorkspaceDetail> {
    if (facts.ws_name !== undefined) assertName('ws_name', facts.ws_name);
    await enterWorkspace(ws_id, () =>
      this.db.write(async () => {
        const row = await this.rows.findCurrentWorkspace({ lock: true });
        if (!row) throw noSuchWorkspace();
        const before = {
          ws_name: row.ws_name,
          ws_slug: row.ws_slug,
          ws_seat_limit: row.ws_seat_limit,
          ws_external_id: row.ws_external_id,
          ws_metadata: row.ws_metadata,
        };
        const named = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as Partial<typeof before>;
        const told = changesBetween(before, { ...before, ...named });
        if (Object.keys(told.after ?? {}).length === 0) return;
        await this.rows.updateWorkspace(named).catch((error: unknown) => {
          throw refusalOf(error, { ws_slug: named.ws_slug ?? '', ws_external_id: named.ws_external_id });
        });
        this.audit.record({
          type: WORKSPACES_AUDIT['workspace.changed'],
          target: { type: 'workspace', id: ws_id, name: row.ws_name },
          ...told,
        });
        this.outbox.emitEvent({ name: 'workspace.updated', subject_id: ws_id, payload: { changed: Object.keys(named) } });
      }),
    );
    return this.get(ws_id);
  }

  private async counted(rows: readonly OperatedWorkspace[]): Promise<WorkspaceAnswer[]> {
    if (rows.length === 0) return [];
    const ids = rows.map(({ ws_id }) => ws_id);
    const standing: ReadonlyMap<string, SeatCounts> = await this.db.acrossTenants((tx) => this.rows.findWorkspaceCounts(tx, ids));
    const counts = await this.counters.countWorkspaces(ids);
    return rows.map((row) => {
      const { users = 0, seats = 0, modules = [] } = standing.get(row.ws_id) ?? {};
      return { ...row, ws_seats_used: seats, ws_modules: modules, counts: { ...(counts.get(row.ws_id) as WorkspaceCounts), users } };
    });
  }

  private async knownAs(external_id: string | null | undefined): Promise<MadeWorkspace | null> {
    const ws_id = external_id ? await this.rows.findByExternalId(external_id) : null;
    return ws_id === null ? null : { workspace: await this.get(ws_id), owner_user_id: null, invite_url: null, made: false };
  }

  private async ownerSpec({
    user_email,
    user_name,
    password,
  }: WorkspaceOwner): Promise<{ user_id: string; user_email: string; user_name: string; password_hash: string | null }> {
    const email = checkedEmail(user_email);
    assertName('user_name', user_name);
    return {
      user_id: this.ids.next(),
      user_email: email,
      user_name,
      password_hash: password === undefined ? null : await this.passwords.hashPassword(password),
    };
  }
}

function canonicalLocale(text = 'en'): string {
  try {
    return Intl.getCanonicalLocales(text)[0] ?? text;
  } catch {
    throw invalidField('ws_locale', 'must be a language tag (BCP 47) such as en or pt-BR', 'locale');
  }
}

function refusalOf(error: unknown, { ws_slug, ws_external_id }: Pick<WorkspaceOrder, 'ws_slug' | 'ws_external_id'>): unknown {
  if (violatesConstraint(error, 'workspace_ws_slug_key')) return alreadyExists('ws_slug', `The slug ${ws_slug} is taken.`);
  if (violatesConstraint(error, 'workspace_ws_external_id_key'))
    return alreadyExists('ws_external_id', `Another workspace has the ws_external_id ${ws_external_id ?? ''}.`);
  if (violatesConstraint(error, 'workspace_ws_slug_check'))
    return invalidField('ws_slug', 'must have 3 to 40 lowercase letters, digits and hyphens, starting with a letter', 'pattern');
  return error;
}
