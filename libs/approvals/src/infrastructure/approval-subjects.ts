import { Injectable } from '@nestjs/common';
import type { Permission, Principal } from '@atrium/platform/access';
import { Database, join, sql, type Sql } from '@atrium/platform/database';
import { notFound, type FieldFault } from '@atrium/platform/kernel';
import type { SubjectRef } from '../domain/subject-ref';
import type { ApprovalRequest } from '../domain/approval-request';

export type AccessLevel = 'view' | 'edit';

/** A version of a subject, as it was when it was read. */
export interface FrozenSubject {
  readonly version: string;
  readonly hash: string;
}

/** A version that may be published, as a request names it; `car_id` is null where no approval was needed. */
export type ApprovedVersion = Pick<
  ApprovalRequest,
  'car_subject_type' | 'car_subject_id' | 'car_locale' | 'car_version' | 'car_hash' | 'car_publish'
> & { readonly car_id: string | null };

/** Subjects that are gone, by a condition on their id: in the languages, or as a whole where these are null; at most so many, or all. */
export interface LostSubjects {
  readonly among: (id: Sql) => Sql;
  readonly locales: readonly string[] | null;
  readonly most: number | null;
}

/** Port for contexts whose subjects are approved. All of it is called within the unit of work that is open. */
export interface ApprovalSubject {
  readonly type: string;
  /** What one is called in sentences: `page`. */
  readonly noun: string;
  readonly view: Permission;
  readonly edit: Permission;
  readonly publishPermission: Permission;
  /** Names of the checks that transitions can require. */
  readonly checks: readonly string[];
  /** Condition on an id: the subject is there, and the reader, who has the permission of the level, may see or change it. */
  readable(reader: Principal, id: Sql, level: AccessLevel): Sql;
  /** The sites that subjects belong to; without it, flows of the type cover all subjects. */
  findCoverage?(ids: readonly string[]): Promise<ReadonlyMap<string, { readonly site: string | null }>>;
  /** Those among the ids that are sites, for the scope of flows. */
  findSites?(ids: readonly string[]): Promise<ReadonlySet<string>>;
  findNames(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Who created them, where that is known. */
  findCreators(ids: readonly string[]): Promise<ReadonlyMap<string, string | null>>;
  /** Who is notified that nobody is left who may approve, besides the person who asked: members and roles. */
  findContacts?(id: string): Promise<readonly string[]>;
  /**
   * Locks the subject until the unit of work ends, and returns the version that it has now. An edit locks it likewise before it reports
   * itself to `Approvals`. May be called again, also when the subject is not to be published.
   */
  freeze(id: string, locale: string | null): Promise<FrozenSubject>;
  /** What the subject lacks, by the names of checks. */
  check(id: string, locale: string | null, names: readonly string[]): Promise<readonly FieldFault[]>;
  /** Publishes the version, or books it, in the same unit of work. `by` has `publishPermission`, and may change the subject. */
  publish(version: ApprovedVersion, by: Principal): Promise<void>;
}

/** What a person may do with a subject. */
export interface SubjectRelation {
  readonly reads: boolean;
  readonly editor: boolean;
  readonly creator: boolean;
}

const NOTHING: SubjectRelation = { reads: false, editor: false, creator: false };

/** The types of subjects that flows are for; each context registers its own when it starts. */
@Injectable()
export class ApprovalSubjects {
  private readonly known = new Map<string, ApprovalSubject>();

  constructor(private readonly db: Database) {}

  register(subject: ApprovalSubject): void {
    if (this.known.has(subject.type)) throw new Error(`Subjects of the type ${subject.type} are registered twice.`);
    this.known.set(subject.type, subject);
  }

  get types(): string[] {
    return [...this.known.keys()].sort();
  }

  findSubject(type: string): ApprovalSubject | undefined {
    return this.known.get(type);
  }

  getSubject(type: string): ApprovalSubject {
    const subject = this.known.get(type);
    if (!subject) throw new Error(`No context has registered subjects of the type ${type}.`);
    return subject;
  }

  /** Condition on columns that name a subject: the reader may see it. Types whose context is not there any more are left out. */
  readableCondition(reader: Principal | null, { type, id }: { readonly type: Sql; readonly id: Sql }): Sql {
    const own = reader === null ? [] : [...this.known.values()].filter(({ view }) => reader.permissions.has(view));
    if (reader === null || own.length === 0) return sql`false`;
    return sql`(${join(
      own.map((subject) => sql`(${type} = ${subject.type} AND ${subject.readable(reader, id, 'view')})`),
      ' OR ',
    )})`;
  }

  /** What each of the people may do with the subject; one statement for however many. */
  async findRelations(people: readonly Principal[], { type, id }: SubjectRef): Promise<ReadonlyMap<string, SubjectRelation>> {
    const subject = this.getSubject(type);
    if (people.length === 0) return new Map();
    const rightsOf = (person: Principal): Sql => {
      const may = (level: AccessLevel): Sql =>
        person.permissions.has(subject[level]) ? sql`coalesce(${subject.readable(person, sql`s.id`, level)}, false)` : sql`false`;
      return sql`SELECT ${person.user_id}::uuid AS user_id, ${may('view')} AS reads, ${may('edit')} AS edits FROM (SELECT ${id}::uuid AS id) s`;
    };
    const rows = await this.db
      .current()
      .query<{ user_id: string; reads: boolean; edits: boolean }>(join(people.map(rightsOf), ' UNION ALL '));
    const creator = (await subject.findCreators([id])).get(id) ?? null;
    return new Map(rows.map(({ user_id, reads, edits }) => [user_id, { reads, editor: reads && edits, creator: creator === user_id }]));
  }

  /** Those among the people whom the subject lets change it, as far as it decides that: their permissions are not asked. One statement. */
  async findAdmitted(people: readonly Principal[], { type, id }: SubjectRef): Promise<ReadonlySet<string>> {
    if (people.length === 0) return new Set();
    const subject = this.getSubject(type);
    const admits = people.map(
      (person) =>
        sql`SELECT ${person.user_id}::uuid AS user_id FROM (SELECT ${id}::uuid AS id) s WHERE ${subject.readable(person, sql`s.id`, 'edit')}`,
    );
    const rows = await this.db.current().query<{ user_id: string }>(join(admits, ' UNION ALL '));
    return new Set(rows.map(({ user_id }) => user_id));
  }

  /** What a person may do with the subject; `not_found` where that is not to see it. */
  async requireRelation(person: Principal, ref: SubjectRef): Promise<SubjectRelation> {
    const relation = (await this.findRelations([person], ref)).get(person.user_id) ?? NOTHING;
    if (!relation.reads) throw notFound(this.getSubject(ref.type).noun);
    return relation;
  }
}
