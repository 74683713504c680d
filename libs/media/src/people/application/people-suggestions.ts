import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, sql, type ListParameters, type Page } from '@atrium/platform/database';
import { Clock, invalidField, notFound } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import type { Face } from '../domain/face';
import { FacesRepository } from '../infrastructure/faces.repository';
import { PeopleRepository } from '../infrastructure/people.repository';
import { ConsentWithdrawal } from './consent-withdrawal';
import { FaceUpkeep } from './face-upkeep';
import { FacesService, type FaceAnswer } from './faces.service';

export interface SuggestionVerdicts {
  readonly accept?: readonly string[];
  readonly reject?: readonly string[];
}

export interface SuggestionOutcome {
  readonly accepted: number;
  readonly rejected: number;
  /** Faces that belong to somebody or are ignored, or whose file shows the person already. */
  readonly skipped: number;
}

/** Faces that a machine takes for a person, and what people say to that: a rejection is remembered for good. */
@Injectable()
export class PeopleSuggestions {
  constructor(
    private readonly db: Database,
    private readonly people: PeopleRepository,
    private readonly faces: FacesRepository,
    private readonly service: FacesService,
    private readonly upkeep: FaceUpkeep,
    private readonly withdrawal: ConsentWithdrawal,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  listSuggestions(caller: Principal, id: string, query: ListParameters): Promise<Page<FaceAnswer>> {
    return this.db.read(async () => {
      if (!(await this.people.findRow(id))) throw notFound('person');
      return this.service.list(caller, query, [
        sql`r.face_state = 'suggested' AND EXISTS (SELECT FROM face_suggestion s WHERE s.tenant_id = r.tenant_id AND s.fsg_face = r.face_id AND s.fsg_person = ${id}::uuid)`,
      ]);
    });
  }

  decideSuggestions(caller: Principal, id: string, { accept = [], reject = [] }: SuggestionVerdicts): Promise<SuggestionOutcome> {
    const [accepted, rejected] = [ids(accept), ids(reject)];
    return this.db.write(async () => {
      await this.faces.lockAll();
      const person = await this.people.lock(id);
      person.assertPresent();
      const found = new Map((await this.faces.lockMany([...new Set([...accepted, ...rejected])])).map((face) => [face.face_id, face]));
      for (const [name, list] of Object.entries({ accept: accepted, reject: rejected }))
        for (const [at, face] of list.entries())
          if (!found.has(face)) throw invalidField(`${name}[${at}]`, 'must be a face of this workspace', 'reference');
      for (const [at, face] of accepted.entries())
        if (rejected.includes(face)) throw invalidField(`accept[${at}]`, 'must not be both accepted and rejected', 'conflict');
      const taken = await this.give(
        caller,
        id,
        accepted.flatMap((face) => found.get(face) ?? []),
      );
      await this.refuse(
        caller,
        id,
        rejected.flatMap((face) => found.get(face) ?? []),
      );
      this.upkeep.queueSorting('people');
      return { accepted: taken, rejected: rejected.length, skipped: accepted.length - taken };
    });
  }

  private async give(caller: Principal, person: string, faces: readonly Face[]): Promise<number> {
    const shown = await this.faces.filterFilesShowing(
      person,
      faces.map(({ face_file }) => face_file),
    );
    const given: string[] = [];
    for (const face of faces) {
      if (face.face_state === 'ignored' || face.face_person !== null || shown.has(face.face_file)) continue;
      shown.add(face.face_file);
      face.assign(person, caller.user_id, this.clock);
      await this.faces.save(face);
      await this.faces.withdrawRejection(face.face_id, person);
      await this.faces.deleteSuggestions([face.face_id]);
      this.outbox.emitEvent({ name: 'face.assigned', subject_id: face.face_id, payload: { person_id: person, file_id: face.face_file } });
      given.push(face.face_id);
    }
    await this.withdrawal.withdrawOfFaces(given);
    return given.length;
  }

  /** A face that a machine assigned to the person is taken off, and may be assigned to another. */
  private async refuse(caller: Principal, person: string, faces: readonly Face[]): Promise<void> {
    await this.faces.rejectPerson(
      faces.map(({ face_id }) => face_id),
      person,
      caller.user_id,
    );
    await this.faces.deleteSuggestions(
      faces.map(({ face_id }) => face_id),
      person,
    );
    for (const face of faces.filter(({ face_person }) => face_person === person)) {
      face.face_person = null;
      face.face_state = 'unassigned';
      face.face_decided = false;
      face.face_decided_by = null;
      face.face_clustered = false;
      face.face_updated = this.clock.now();
      await this.faces.save(face);
    }
    await this.faces.resetUnsuggested();
  }
}

const ids = (list: readonly string[]): string[] => [...new Set(list.map((id) => id.toLowerCase()))];
