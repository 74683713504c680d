import { createHash } from 'node:crypto';
import {
  ApprovalFlows,
  ApprovalGate,
  ApprovalMoves,
  ApprovalRequests,
  Approvals,
  ApprovalSubjects,
  type ApprovalState,
  type ApprovalTransition,
  type ApprovedVersion,
  type DecisionWish,
  type MovedSubject,
  type MoveWish,
  type NamedActors,
  type NewApprovalFlow,
  type SubjectRef,
} from '@atrium/approvals';
import { ActingCallers } from '@atrium/identity';
import type { Permission, Principal } from '@atrium/platform/access';
import { Database, inWorkspace, raw, requireScope, sql } from '@atrium/platform/database';
import { newId, Problem, type FieldFault } from '@atrium/platform/kernel';
import type { Member, RunningApi, TestWorkspace } from '@atrium/platform/testing';
import type { INestApplicationContext } from '@nestjs/common';

/** What was published, in the order in which it was. */
export interface Published {
  readonly locale: string | null;
  readonly version: string;
  readonly request: string | null;
  readonly by: string | null;
}

interface Kind {
  readonly type: string;
  readonly view: Permission;
  readonly edit: Permission;
  readonly publishPermission: Permission;
  readonly hasSites: boolean;
}

/** In two languages, on sites. */
export const LEAFLET: Kind = {
  type: 'leaflet',
  view: 'content:view',
  edit: 'content:edit',
  // Members with the built-in role editor approve, but do not have it.
  publishPermission: 'content:delete',
  hasSites: true,
};
/** Without languages and sites. */
export const NOTICE: Kind = {
  type: 'notice',
  view: 'social:view',
  edit: 'social:edit',
  publishPermission: 'social:publish',
  hasSites: false,
};

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Rows of a kind of subjects, as a context keeps them: edited, approved and published without the context. */
export class MadeUpSubjects {
  /** Called in the unit of work of an edit, once its row is locked and written. */
  duringEdit: () => Promise<void> = () => Promise.resolve();
  readonly contacts: string[] = [];

  private constructor(
    private readonly db: Database,
    private readonly gate: ApprovalGate,
    private readonly approvals: Approvals,
    readonly kind: Kind,
  ) {}

  static async start(api: RunningApi, kind: Kind): Promise<MadeUpSubjects> {
    await api.sql(`
      CREATE TABLE ${kind.type} (
        tenant_id uuid NOT NULL REFERENCES workspace, id uuid NOT NULL, row_version integer NOT NULL DEFAULT 1, name text NOT NULL, site uuid,
        texts jsonb NOT NULL DEFAULT '{}', creator uuid, hidden_from uuid[] NOT NULL DEFAULT '{}', closed_to uuid[] NOT NULL DEFAULT '{}', published jsonb NOT NULL DEFAULT '[]', PRIMARY KEY (tenant_id, id));
      CALL make_tenant_table('${kind.type}')`);
    return MadeUpSubjects.register(api.app, kind);
  }

  /** For a worker beside the API as well. */
  static register(app: INestApplicationContext, kind: Kind): MadeUpSubjects {
    const subjects = new MadeUpSubjects(
      app.get(Database, { strict: false }),
      app.get(ApprovalGate, { strict: false }),
      app.get(Approvals, { strict: false }),
      kind,
    );
    app.get(ApprovalSubjects, { strict: false }).register({
      ...kind,
      noun: kind.type,
      checks: ['complete', 'polite'],
      readable: (reader, id, level) =>
        sql`EXISTS (SELECT FROM ${subjects.table} x WHERE x.tenant_id = ${requireScope().tenant_id} AND x.id = ${id} AND NOT ${reader.user_id}::uuid = ANY (x.hidden_from ${level === 'edit' ? sql`|| x.closed_to` : sql``}))`,
      ...(kind.hasSites
        ? {
            findCoverage: (ids: readonly string[]) => subjects.columns<{ site: string | null }>(ids, 'site'),
            findSites: (ids: readonly string[]) => Promise.resolve(new Set(ids.filter((id) => SITES.includes(id)))),
          }
        : {}),
      findNames: async (ids) => new Map([...(await subjects.columns<{ name: string }>(ids, 'name'))].map(([id, { name }]) => [id, name])),
      findCreators: async (ids) =>
        new Map([...(await subjects.columns<{ creator: string | null }>(ids, 'creator'))].map(([id, { creator }]) => [id, creator])),
      findContacts: () => Promise.resolve(subjects.contacts),
      freeze: async (id, locale) => {
        const text = await subjects.lockText(id, locale);
        return { version: text, hash: hashOf(text) };
      },
      check: (id, locale, names) => subjects.check(id, locale, names),
      publish: (version, by) => subjects.publishVersion(version, by),
    });
    return subjects;
  }

  async create(
    facts: {
      readonly site?: string;
      readonly creator?: string;
      readonly hidden_from?: readonly string[];
      /** Who may see it, and not change it. */
      readonly closed_to?: readonly string[];
    } = {},
  ): Promise<string> {
    const id = newId();
    await this.db.write((tx) =>
      tx.execute(
        sql`INSERT INTO ${this.table} (tenant_id, id, name, site, creator, hidden_from, closed_to) VALUES (${requireScope().tenant_id}, ${id}, 'Harbour lamp', ${facts.site ?? null}, ${facts.creator ?? null}, ${[...(facts.hidden_from ?? [])]}::uuid[], ${[...(facts.closed_to ?? [])]}::uuid[])`,
      ),
    );
    return id;
  }

  async edit(id: string, locale: string | null, text: string): Promise<void> {
    await this.db.write(async (tx) => {
      await this.lockText(id, locale);
      await this.approvals.recordEdit(this.ref(id, locale));
      await tx.execute(
        sql`UPDATE ${this.table} SET texts = texts || ${JSON.stringify({ [locale ?? '']: text })}::jsonb WHERE tenant_id = ${requireScope().tenant_id} AND id = ${id}`,
      );
      await this.duringEdit();
    });
  }

  remove(id: string): Promise<void> {
    return this.db.write(async (tx) => {
      await this.approvals.recordRemoval(this.kind.type, [id]);
      await tx.execute(sql`DELETE FROM ${this.table} WHERE tenant_id = ${requireScope().tenant_id} AND id = ${id}`);
    });
  }

  /** The context reports that the subjects are gone, in the languages or as a whole. */
  recordLoss(ids: readonly string[], locales: readonly string[] | null, most: number | null) {
    return this.approvals.recordLoss(this.kind.type, { among: (id) => sql`${id} = ANY(${[...ids]}::uuid[])`, locales, most });
  }

  /** Publishes the draft, as far as its flow lets it. */
  publishDraft(id: string, locale: string | null): Promise<void> {
    return this.db.write(async () => {
      const text = await this.lockText(id, locale);
      await this.gate.demandApproval(this.ref(id, locale), hashOf(text));
      await this.appendPublished(id, { locale, version: text, request: null, by: null });
    });
  }

  async listPublished(id: string): Promise<readonly Published[]> {
    const [row] = await this.db.query<{ published: Published[] }>(
      sql`SELECT published FROM ${this.table} WHERE tenant_id = ${requireScope().tenant_id} AND id = ${id}`,
    );
    return row?.published ?? [];
  }

  ref(id: string, locale: string | null): SubjectRef {
    return { type: this.kind.type, id, locale };
  }

  private get table() {
    return raw(this.kind.type);
  }

  private async columns<R extends object>(ids: readonly string[], column: string): Promise<ReadonlyMap<string, R>> {
    const rows = await this.db
      .current()
      .query<R & { id: string }>(
        sql`SELECT id, ${raw(column)} FROM ${this.table} WHERE tenant_id = ${requireScope().tenant_id} AND id = ANY(${[...ids]}::uuid[])`,
      );
    return new Map(rows.map((row) => [row.id, row]));
  }

  private async lockText(id: string, locale: string | null): Promise<string> {
    const row = await this.db
      .current()
      .first<{ text: string | null }>(
        sql`SELECT texts ->> ${locale ?? ''} AS text FROM ${this.table} WHERE tenant_id = ${requireScope().tenant_id} AND id = ${id} FOR UPDATE`,
      );
    if (!row) throw new Error(`No such ${this.kind.type}.`);
    return row.text ?? '';
  }

  private async check(id: string, locale: string | null, names: readonly string[]): Promise<readonly FieldFault[]> {
    const texts = (await this.columns<{ texts: Record<string, string> }>([id], 'texts')).get(id)?.texts ?? {};
    const text = texts[locale ?? ''] ?? '';
    const faults = { complete: text === '' ? 'has no text' : null, polite: text.includes('!') ? 'is too loud' : null } as Record<
      string,
      string | null
    >;
    return names.flatMap((name) => (faults[name] ? [{ path: 'text', code: name, message: faults[name] }] : []));
  }

  private async publishVersion({ car_subject_id, car_locale, car_version, car_id }: ApprovedVersion, by: Principal): Promise<void> {
    await this.appendPublished(car_subject_id, { locale: car_locale, version: car_version, request: car_id, by: by.user_id });
  }

  private async appendPublished(id: string, published: Published): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`UPDATE ${this.table} SET published = published || ${JSON.stringify([published])}::jsonb WHERE tenant_id = ${requireScope().tenant_id} AND id = ${id}`,
      );
  }
}

export const SHOP = newId();
export const BLOG = newId();
const SITES = [SHOP, BLOG];

const NOBODY: NamedActors = { users: [], roles: [], permissions: [], creator: false };
export const named = (more: Partial<NamedActors>): NamedActors => ({ ...NOBODY, ...more });

export const state = (key: string, more: Partial<ApprovalState> = {}): ApprovalState => ({
  key,
  name: `The ${key}`,
  color: null,
  initial: key === 'draft',
  publishable: key === 'approved',
  locked: false,
  description: null,
  ...more,
});

/** A transition that needs as many approvals as it is given, by everyone who may edit and approve. */
export const transition = (
  key: string,
  from: string,
  to: string,
  {
    count = 0,
    users = [],
    allow_self = false,
    ...more
  }: Partial<ApprovalTransition> & { readonly count?: number; readonly users?: readonly string[]; readonly allow_self?: boolean } = {},
): ApprovalTransition => ({
  key,
  name: `To ${key}`,
  from: [from],
  to,
  movers: NOBODY,
  comment: 'optional',
  checks: [],
  approvals: { count, movers: named({ users }), allow_self },
  on_reject: null,
  actions: [],
  ...more,
});

/** draft → review → approved (two approvals). */
export const flowOf = (caf_subject: string, more: Partial<NewApprovalFlow> = {}): NewApprovalFlow => ({
  caf_name: 'Review',
  caf_subject,
  caf_states: [state('draft'), state('review'), state('approved')],
  caf_transitions: [transition('submit', 'draft', 'review'), transition('approve', 'review', 'approved', { count: 2 })],
  ...more,
});

/** What people of a workspace do with subjects, each call in a unit of work of its own. */
export class Desk {
  private readonly moves: ApprovalMoves;
  private readonly requests: ApprovalRequests;
  private readonly callers: ActingCallers;
  readonly flows: ApprovalFlows;
  readonly gate: ApprovalGate;

  constructor(
    private readonly api: RunningApi,
    readonly ours: TestWorkspace,
  ) {
    const part = <T>(type: abstract new (...args: never[]) => T): T => api.app.get<T>(type, { strict: false });
    this.moves = part(ApprovalMoves);
    this.requests = part(ApprovalRequests);
    this.callers = part(ActingCallers);
    this.flows = part(ApprovalFlows);
    this.gate = part(ApprovalGate);
  }

  within<T>(work: () => Promise<T>): Promise<T> {
    return inWorkspace(this.ours.tenant_id, work);
  }

  as<T>(member: Member, work: (caller: Principal) => Promise<T>): Promise<T> {
    return this.within(async () =>
      work(
        await this.api.app
          .get(Database, { strict: false })
          .read(() => this.callers.resolvePrincipal({ user_id: member.user_id, key_id: null })),
      ),
    );
  }

  activeFlow(flow: NewApprovalFlow): Promise<string> {
    return this.within(async () => {
      const { caf_id } = await this.flows.create(flow);
      await this.flows.activateFlow(caf_id);
      return caf_id;
    });
  }

  move(member: Member, ref: SubjectRef, key: string, wish: Partial<MoveWish> = {}): Promise<MovedSubject> {
    return this.as(member, (caller) => this.moves.moveSubject(caller, ref, { transition: key, ...wish }));
  }

  openTransitions(member: Member, ref: SubjectRef) {
    return this.as(member, (caller) => this.moves.listOpenTransitions(caller, ref));
  }

  /** Asks for approval; the request. */
  async ask(member: Member, ref: SubjectRef, wish: Partial<MoveWish> = {}) {
    const { request } = await this.move(member, ref, 'approve', wish);
    if (!request) throw new Error('It was moved at once.');
    return request;
  }

  decide(member: Member, { car_id, car_hash }: { readonly car_id: string; readonly car_hash: string }, wish: Partial<DecisionWish> = {}) {
    return this.as(member, (caller) => this.requests.decideRequest(caller, car_id, { decision: 'approve', hash: car_hash, ...wish }));
  }

  withdraw(member: Member, car_id: string) {
    return this.as(member, (caller) => this.requests.withdrawRequest(caller, car_id));
  }

  get(member: Member, car_id: string) {
    return this.as(member, (caller) => this.requests.get(caller, car_id));
  }

  async list(member: Member, query: object = {}): Promise<string[]> {
    return (await this.as(member, (caller) => this.requests.list(caller, query))).data.map(({ car_id }) => car_id);
  }

  async stateOf(ref: SubjectRef): Promise<string | null> {
    const [standing] = await this.within(() => this.gate.findStandings(ref.type, [ref]));
    return standing?.state ?? null;
  }
}

/** How something is refused: its code, and the words after it where they are asked for. */
export const refusalOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof Problem ? error.code : String(error)),
  );

/** The sentence of a refusal. */
export async function sentenceOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Problem)) throw new Error(`No problem: ${String(error)}`);
  return error.detail;
}
