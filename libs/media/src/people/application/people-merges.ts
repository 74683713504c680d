import { Injectable } from '@nestjs/common';
import { Audit, type Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { Clock, DAY, Ids, invalidField, invalidState, notFound, Problem, unknownReferences } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { Person } from '../domain/person';
import { FacesRepository } from '../infrastructure/faces.repository';
import { PeopleMerging, type MergeRecord } from '../infrastructure/people-merging.repository';
import { PeopleRepository } from '../infrastructure/people.repository';
import { ConsentWithdrawal } from './consent-withdrawal';
import { FaceUpkeep } from './face-upkeep';
import { PEOPLE_AUDIT } from './people.audit';
import { PeopleService, type PersonAnswer } from './people.service';

export interface MergedPeople {
  readonly person: PersonAnswer;
  readonly undo_id: string;
  readonly undo_until: Date;
}

/** What a person is split by: some of its faces, or a merge that is taken back. */
export interface SplitWish {
  readonly face_ids?: readonly string[];
  readonly undo_id?: string;
}

const UNDO = 7 * DAY;
const FILLED = ['person_name', 'person_description', 'person_birth_date'] as const;

/**
 * Makes one person of several, and several of one. A merge is undone exactly for seven days; what people decided about a
 * face in the meantime stays. One unit of work at a time decides whose faces are whose.
 */
@Injectable()
export class PeopleMerges {
  constructor(
    private readonly db: Database,
    private readonly people: PeopleRepository,
    private readonly service: PeopleService,
    private readonly faces: FacesRepository,
    private readonly merging: PeopleMerging,
    private readonly upkeep: FaceUpkeep,
    private readonly withdrawal: ConsentWithdrawal,
    private readonly outbox: Outbox,
    private readonly audit: Audit,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  mergePeople(caller: Principal, id: string, person_ids: readonly string[]): Promise<MergedPeople> {
    const ids = [...new Set(person_ids.map((one) => one.toLowerCase()))];
    return this.db.write(async () => {
      await this.faces.lockAll();
      const { target, sources } = await this.locked(id, ids);
      const filled = fill(target, sources);
      const lost = await this.merging.dropConflicts(id, ids);
      const moved = await this.merging.moveFaces(id, ids);
      const rejections = await this.merging.moveRejections(id, ids);
      const favorites = await this.merging.moveFavorites(id, ids);
      const pointers = await this.merging.movePointers(id, ids);
      await this.merging.dropSuggestions(ids);
      await this.faces.resetUnsuggested();
      for (const source of sources) {
        source.person_merged_into = id;
        source.touch(this.clock);
        await this.people.save(source);
      }
      target.touch(this.clock);
      await this.people.save(target);
      if (moved.length > 0 && target.isUnwilling(this.clock)) await this.withdrawal.withdrawOfPerson(id);
      const [undo_id, undo_until] = [this.ids.next(), this.clock.after(UNDO)];
      await this.merging.saveMerge(
        undo_id,
        id,
        { moved, lost, rejections, favorites, pointers, merged: ids, filled },
        { until: undo_until, by: caller.user_id },
      );
      this.audit.record({
        type: PEOPLE_AUDIT['person.merged'],
        target: { type: 'person', id, name: target.person_name ?? id },
        after: { merged: ids, faces: moved.length },
      });
      this.outbox.emitEvent({ name: 'person.merged', subject_id: id, payload: { merged: ids, undo_id } });
      this.upkeep.queueSorting('people');
      return { person: await this.service.readListedAnswer(caller, id), undo_id, undo_until };
    });
  }

  splitPerson(caller: Principal, id: string, { face_ids, undo_id }: SplitWish): Promise<PersonAnswer[]> {
    if ((face_ids === undefined) === (undo_id === undefined))
      throw invalidField('face_ids', 'requires either face_ids or undo_id', 'one_of');
    return this.db.write(async () => {
      await this.faces.lockAll();
      const person = await this.people.lock(id);
      person.assertPresent();
      const apart = undo_id === undefined ? [await this.splitOff(caller, person, face_ids ?? [])] : await this.undo(person, undo_id);
      this.audit.record({
        type: PEOPLE_AUDIT['person.split'],
        target: { type: 'person', id, name: person.person_name ?? id },
        after: { people: apart, undone: undo_id ?? null },
      });
      this.upkeep.queueSorting('people');
      return Promise.all([id, ...apart].map((one) => this.service.readListedAnswer(caller, one)));
    });
  }

  private async locked(id: string, ids: readonly string[]): Promise<{ readonly target: Person; readonly sources: readonly Person[] }> {
    const at = ids.indexOf(id);
    if (at >= 0) throw invalidField(`person_ids[${at}]`, 'must not contain the person itself', 'circular');
    const found = new Map((await this.people.lockMany([id, ...ids])).map((person) => [person.person_id, person]));
    const target = found.get(id);
    if (!target) throw notFound('person');
    const sources = ids.map((one, place) => {
      const source = found.get(one);
      if (!source) throw invalidField(`person_ids[${place}]`, 'must be a person of this workspace', 'reference');
      return source;
    });
    for (const person of [target, ...sources]) person.assertPresent();
    return { target, sources };
  }

  /** Faces become somebody new, and are never taken for the person they were split from. */
  private async splitOff(caller: Principal, { person_id }: Person, face_ids: readonly string[]): Promise<string> {
    const faces = [...new Set(face_ids.map((one) => one.toLowerCase()))];
    const fresh = this.ids.next();
    await this.people.addUnnamed([fresh]);
    const moved = await this.merging.splitOff(person_id, faces, fresh, caller.user_id);
    if (moved.size !== faces.length) throw unknownReferences('face_ids', 'face of this person', face_ids, moved);
    await this.faces.rejectPerson(faces, person_id, caller.user_id);
    return fresh;
  }

  private async undo(target: Person, undo_id: string): Promise<readonly string[]> {
    const found = await this.merging.findMerge(undo_id, target.person_id);
    if (!found) throw invalidField('undo_id', 'must be a merge of this person that can be undone', 'reference');
    if (new Date(found.pm_until) <= this.clock.now())
      throw new Problem('gone', 'A merge can be undone within seven days, which have passed.');
    const { moved, lost, rejections, favorites, pointers, merged, filled } = found.pm_record;
    const sources = await this.people.lockMany(merged);
    if (sources.length !== merged.length || sources.some((source) => source.person_merged_into !== target.person_id))
      throw invalidState('The people have been changed since the merge, so it cannot be undone.');
    await this.merging.undoPointers(pointers, merged, target.person_id);
    await this.merging.undoRejections(rejections);
    await this.merging.undoFavorites(target.person_id, favorites);
    await this.merging.returnFaces(target.person_id, moved);
    await this.merging.restoreLost(lost);
    for (const source of sources) if (source.isUnwilling(this.clock)) await this.withdrawal.withdrawOfPerson(source.person_id);
    empty(target, filled);
    target.touch(this.clock);
    await this.people.save(target);
    await this.merging.deleteMerge(undo_id);
    return merged;
  }
}

/** What the target lacks comes from the first of the others that has it; what was filled, as it was filled. */
function fill(target: Person, sources: readonly Person[]): MergeRecord['filled'] {
  const filled: Record<string, unknown> = {};
  for (const name of FILLED) {
    const value = target[name] ?? sources.map((source) => source[name]).find((known) => known !== null) ?? null;
    if (target[name] === null && value !== null) {
      target[name] = value;
      filled[name] = value;
    }
  }
  const telling =
    target.person_consent.status === 'unknown' ? sources.find((source) => source.person_consent.status !== 'unknown') : undefined;
  if (telling) {
    filled.person_consent_before = target.person_consent;
    target.person_consent = telling.person_consent;
    target.person_consent_until = telling.person_consent_until;
    filled.person_consent = telling.person_consent;
  }
  return filled;
}

/** Takes out what was filled, where nobody changed it since. */
function empty(target: Person, filled: MergeRecord['filled']): void {
  for (const name of FILLED) if (filled[name] !== undefined && target[name] === filled[name]) target[name] = null;
  if (
    filled.person_consent !== undefined &&
    JSON.stringify(sorted(target.person_consent)) === JSON.stringify(sorted(filled.person_consent))
  ) {
    target.person_consent = (filled.person_consent_before ?? { status: 'unknown' }) as Person['person_consent'];
    target.person_consent_until = typeof target.person_consent.until === 'string' ? new Date(target.person_consent.until) : null;
  }
}

const sorted = (value: unknown): unknown => Object.entries(value as object).sort(([a], [b]) => (a < b ? -1 : 1));
