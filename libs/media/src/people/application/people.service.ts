import { Injectable } from '@nestjs/common';
import { Audit, changesBetween, permissionDenied, type Principal } from '@atrium/platform/access';
import { Database, join, sql, type ListParameters, type Page, type Precondition, type Sql } from '@atrium/platform/database';
import { Clock, Ids, invalidField, notFound, type JsonObject } from '@atrium/platform/kernel';
import { LibraryFiles } from '@atrium/files';
import { Person, readConsent } from '../domain/person';
import { FacePictures } from '../infrastructure/face-pictures';
import { FacesRepository } from '../infrastructure/faces.repository';
import { PeopleRepository, type PersonRow } from '../infrastructure/people.repository';
import { ConsentWithdrawal } from './consent-withdrawal';
import { FaceUpkeep } from './face-upkeep';
import { PEOPLE_AUDIT } from './people.audit';

export interface PersonFacts {
  readonly person_name?: string | null;
  readonly person_description?: string | null;
  readonly person_birth_date?: string | null;
  readonly person_hidden?: boolean;
  readonly person_favorite?: boolean;
  readonly person_cover_face?: string | null;
  readonly person_consent?: JsonObject;
  readonly person_metadata?: JsonObject;
}

export interface PersonFilters extends ListParameters {
  readonly person_name?: string;
  readonly person_hidden?: boolean;
  readonly person_consent?: string;
  readonly person_favorite?: boolean;
  readonly q?: string;
}

/** The face that represents a person. */
export interface PersonCover {
  readonly face_id: string;
  readonly file_id: string;
  readonly url: string | null;
}

export type PersonAnswer = Omit<PersonRow, 'cover_face' | 'cover_file' | 'cover_crop'> & {
  readonly person_cover_preview: PersonCover | null;
};

/** The people of a library: named, described, asked whether they agree, and let go. */
@Injectable()
export class PeopleService {
  constructor(
    private readonly db: Database,
    private readonly people: PeopleRepository,
    private readonly faces: FacesRepository,
    private readonly library: LibraryFiles,
    private readonly pictures: FacePictures,
    private readonly upkeep: FaceUpkeep,
    private readonly withdrawal: ConsentWithdrawal,
    private readonly audit: Audit,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  /** Hidden people are left out unless asked for, and so are those that were merged into others. */
  list(
    caller: Principal,
    { person_name, person_hidden = false, person_consent, person_favorite, q, ...query }: PersonFilters,
  ): Promise<Page<PersonAnswer>> {
    const where: Sql[] = [sql`r.person_merged_into IS NULL AND r.person_hidden = ${person_hidden}`];
    if (person_name !== undefined) where.push(sql`r.person_id IN (SELECT people_matching(${person_name}, false))`);
    if (q !== undefined) where.push(sql`r.person_id IN (SELECT people_matching(${q}, true))`);
    if (person_consent !== undefined) where.push(sql`r.person_consent_status = ${person_consent}`);
    if (person_favorite !== undefined)
      where.push(
        sql`EXISTS (SELECT FROM person_pref f WHERE f.tenant_id = r.tenant_id AND f.user_id = ${caller.user_id}::uuid AND f.person_id = r.person_id) = ${person_favorite}::boolean`,
      );
    return this.db.read(async () => {
      const page = await this.people.listPeople(caller, query, join(where, ' AND '));
      return { ...page, data: await Promise.all(page.data.map((row) => this.shown(row))) };
    });
  }

  get(caller: Principal, id: string): Promise<PersonAnswer> {
    return this.db.read(() => this.readAnswer(caller, id));
  }

  create(caller: Principal, facts: PersonFacts): Promise<PersonAnswer> {
    return this.db.write(async () => {
      const now = this.clock.now();
      const person = Person.blank(
        { person_id: this.ids.next(), person_consent: { status: 'unknown' }, person_created_by: caller.user_id },
        now,
      );
      await this.apply(caller, person, facts);
      await this.people.insert(person);
      if (facts.person_favorite) await this.people.setFavorite(caller, person.person_id, true);
      return this.readAnswer(caller, person.person_id);
    });
  }

  change(caller: Principal, id: string, facts: PersonFacts, precondition?: Precondition): Promise<PersonAnswer> {
    return this.db.write(async () => {
      const person = await this.people.lock(id, precondition);
      person.assertPresent();
      const { person_consent, person_birth_date } = person;
      const wasUnwilling = person.isUnwilling(this.clock);
      await this.apply(caller, person, facts);
      if (Object.keys(facts).some((name) => name !== 'person_favorite')) person.touch(this.clock);
      await this.people.save(person);
      if (facts.person_favorite !== undefined) await this.people.setFavorite(caller, id, facts.person_favorite);
      if (facts.person_consent !== undefined) {
        this.audit.record({
          type: PEOPLE_AUDIT['person.consent_changed'],
          target: { type: 'person', id, name: person.person_name ?? id },
          ...changesBetween({ person_consent }, { person_consent: person.person_consent }),
        });
      }
      if (!wasUnwilling && person.isUnwilling(this.clock)) await this.withdrawal.withdrawOfPerson(id);
      if (facts.person_consent !== undefined || person_birth_date !== person.person_birth_date) {
        await this.people.resetComparison(id);
        this.upkeep.queueSorting('people');
      }
      return this.readAnswer(caller, id);
    });
  }

  /** The person's faces are nobody's again. */
  remove(id: string, precondition?: Precondition): Promise<void> {
    return this.db.write(async () => {
      await this.faces.lockAll();
      const person = await this.people.lock(id, precondition);
      person.assertPresent();
      await this.people.releaseFaces(id);
      await this.people.remove(person);
      await this.faces.resetUnsuggested();
      this.audit.record({ type: PEOPLE_AUDIT['person.deleted'], target: { type: 'person', id, name: person.person_name ?? id } });
    });
  }

  /** Who is asked about by id; a person merged into another one answers for it. */
  async resolvePersonId(id: string): Promise<string> {
    const person = await this.people.findRow(id);
    if (!person) throw notFound('person');
    return person.person_merged_into ?? person.person_id;
  }

  async readAnswer(caller: Principal, id: string): Promise<PersonAnswer> {
    return this.shown(await this.row(caller, id));
  }

  /** As one of several in an answer: without the version that a single person has. */
  async readListedAnswer(caller: Principal, id: string): Promise<PersonAnswer> {
    const { row_version: _, ...row } = await this.row(caller, id);
    return this.shown(row);
  }

  assertErasure(caller: Principal): void {
    if (!caller.permissions.has('admin:settings')) throw permissionDenied(['admin:settings']);
  }

  private async row(caller: Principal, id: string): Promise<PersonRow & { readonly row_version: number }> {
    const row = await this.people.findPersonRow(caller, id);
    if (!row) throw notFound('person');
    return row;
  }

  private async shown({ cover_face, cover_file, cover_crop, ...row }: PersonRow): Promise<PersonAnswer> {
    const person_cover_preview =
      cover_face === null || cover_file === null
        ? null
        : { face_id: cover_face, file_id: cover_file, url: cover_crop === null ? null : await this.pictures.signAddress(cover_crop) };
    return { ...row, person_cover_preview };
  }

  private async apply(caller: Principal, person: Person, facts: PersonFacts): Promise<void> {
    if (facts.person_name !== undefined) person.call(facts.person_name);
    if (facts.person_description !== undefined) person.person_description = facts.person_description;
    if (facts.person_birth_date !== undefined) person.wasBorn(facts.person_birth_date);
    if (facts.person_hidden !== undefined) person.person_hidden = facts.person_hidden;
    if (facts.person_metadata !== undefined) person.person_metadata = facts.person_metadata;
    if (facts.person_consent !== undefined) await this.agree(caller, person, facts.person_consent);
    if (facts.person_cover_face !== undefined) await this.cover(person, facts.person_cover_face);
  }

  private async agree(caller: Principal, person: Person, written: JsonObject): Promise<void> {
    const consent = readConsent(written);
    if (consent.file_id !== undefined && (await this.library.findVisible(caller, 'media', [consent.file_id])).length === 0)
      throw invalidField('person_consent.file_id', 'must be a file of the library', 'reference');
    person.agreed(consent);
  }

  private async cover(person: Person, face: string | null): Promise<void> {
    if (face !== null && !(await this.faces.isFaceOf(face, person.person_id)))
      throw invalidField('person_cover_face', 'must be a face of this person', 'reference');
    person.person_cover_face = face?.toLowerCase() ?? null;
  }
}
