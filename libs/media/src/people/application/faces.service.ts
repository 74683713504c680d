import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import {
  Database,
  join,
  sql,
  violatesConstraint,
  requireScope,
  type ListParameters,
  type Page,
  type Precondition,
  type Sql,
} from '@atrium/platform/database';
import { alreadyExists, Clock, Ids, invalidField, invalidState, notFound, Problem } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { FileSummaries, LibraryFiles } from '@atrium/files';
import { Face, MOST_FACES, readBox, type FaceBox, type FaceState } from '../domain/face';
import { FacePictures } from '../infrastructure/face-pictures';
import { FacesRepository, type FaceRow } from '../infrastructure/faces.repository';
import { PeopleRepository } from '../infrastructure/people.repository';
import { ConsentWithdrawal } from './consent-withdrawal';
import { FaceUpkeep } from './face-upkeep';

export type FaceAnswer = Omit<FaceRow, 'face_crop'> & { readonly face_thumb_url: string | null; readonly face_image_url: string | null };

/** A face that people mark. */
export interface MarkedFace {
  readonly face_file: string;
  readonly face_box: FaceBox;
  readonly face_person?: string | null;
}

export interface FaceChanges {
  readonly face_person?: string | null;
  readonly face_state?: FaceState;
  readonly face_box?: FaceBox;
}

const ONCE = 'face_person_once';

/** What people do with faces: view them, mark them, assign them. A face shows no more than its file does. */
@Injectable()
export class FacesService {
  constructor(
    private readonly db: Database,
    private readonly faces: FacesRepository,
    private readonly people: PeopleRepository,
    private readonly library: LibraryFiles,
    private readonly summaries: FileSummaries,
    private readonly pictures: FacePictures,
    private readonly upkeep: FaceUpkeep,
    private readonly withdrawal: ConsentWithdrawal,
    private readonly outbox: Outbox,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  /** `where` narrows the list further; conditions are on `r`. */
  list(caller: Principal, query: ListParameters, where: readonly Sql[] = []): Promise<Page<FaceAnswer>> {
    return this.db.read(async () => {
      const page = await this.faces.listFaces(query, join([this.visible(caller), ...where], ' AND '));
      return { ...page, data: await this.toAnswers(page.data) };
    });
  }

  async markFace(caller: Principal, { face_file, face_box, face_person = null }: MarkedFace): Promise<FaceAnswer> {
    const box = readBox(face_box);
    const { face_id } = await this.db.write(async () => {
      await this.faces.lockAll();
      const [file] = await this.library.findVisible(caller, 'media', [face_file]);
      if (!file) throw invalidField('face_file', 'must be a file of the library', 'reference');
      if (file.file_kind !== 'image') throw invalidField('face_file', 'must be a picture', 'kind');
      if ((await this.faces.countOf(file.file_id)) >= MOST_FACES)
        throw new Problem('limit_reached', `A file can have at most ${MOST_FACES} faces.`);
      const now = this.clock.now();
      const face = Face.blank(
        { face_id: this.ids.next(), face_file: file.file_id, face_box: { ...box }, face_decided_by: caller.user_id },
        now,
      );
      if (face_person !== null) await this.give(face, face_person, caller);
      await once(() => this.faces.insert(face));
      await this.withdrawal.withdrawOfFaces([face.face_id]);
      return { face_id: face.face_id };
    });
    await this.cutOut(face_id, face_file, box);
    return this.getMarkedFace(caller, face_id);
  }

  /** A face that somebody marked, with today's address of its picture. */
  getMarkedFace(caller: Principal, face_id: string): Promise<FaceAnswer> {
    return this.db.read(() => this.answer(caller, face_id));
  }

  async change(caller: Principal, id: string, changes: FaceChanges, precondition?: Precondition): Promise<FaceAnswer> {
    const box = changes.face_box === undefined ? null : readBox(changes.face_box);
    const file_id = await this.db.write(async () => {
      await this.faces.lockAll();
      await this.readable(caller, id);
      const face = await this.faces.lock(id, precondition);
      const before = face.face_person;
      if (box) {
        if (face.face_crop !== null) this.upkeep.queueCropRemoval([face.face_crop]);
        face.move(box, this.clock);
      }
      await this.decide(face, changes, caller);
      await once(() => this.faces.save(face));
      if (face.face_person !== before) await this.withdrawal.withdrawOfFaces([id]);
      if (changes.face_person !== undefined || changes.face_state !== undefined) {
        await this.faces.deleteSuggestions([id]);
        if (before !== null && before !== face.face_person && face.face_state !== 'ignored')
          await this.faces.rejectPerson([id], before, caller.user_id);
        this.upkeep.queueSorting('people');
      }
      return face.face_file;
    });
    if (box) await this.cutOut(id, file_id, box);
    return this.db.read(() => this.answer(caller, id));
  }

  /** A detected face is ignored from now on, so that it does not come back; one that people marked goes. */
  remove(caller: Principal, id: string, precondition?: Precondition): Promise<void> {
    return this.db.write(async () => {
      await this.faces.lockAll();
      await this.readable(caller, id);
      const face = await this.faces.lock(id, precondition);
      if (face.face_source === 'manual') return this.upkeep.queueCropRemoval(await this.faces.deleteFaces([id]));
      face.ignore(caller.user_id, this.clock);
      await this.faces.save(face);
      await this.faces.deleteSuggestions([id]);
    });
  }

  /** A signed address of the face cut out, 256 pixels wide; it is cut out now where nobody did yet. */
  async getImageUrl(caller: Principal, id: string): Promise<string> {
    const face = await this.db.read(() => this.readable(caller, id));
    const key = face.face_crop ?? (await this.cutOut(id, face.face_file, face.face_box));
    if (key === null) throw invalidState('The file has no picture from which the face can be cut out.');
    return this.pictures.signAddress(key);
  }

  /** Rows with their addresses; for lists that others narrow. */
  async toAnswers(rows: readonly FaceRow[]): Promise<FaceAnswer[]> {
    const files = await this.summaries.findSummaries(rows.map(({ face_file }) => face_file));
    return Promise.all(
      rows.map(async ({ face_crop, ...face }) => ({
        ...face,
        face_thumb_url: files.get(face.face_file)?.preview?.url ?? null,
        face_image_url: face_crop === null ? null : await this.pictures.signAddress(face_crop),
      })),
    );
  }

  private async decide(face: Face, { face_person, face_state }: FaceChanges, caller: Principal): Promise<void> {
    if (face_state === 'suggested') throw invalidField('face_state', 'cannot be set by hand: face recognition makes suggestions', 'choice');
    if (face_person === undefined && face_state === undefined) return;
    if (face_person != null) {
      if (face_state !== undefined && face_state !== 'assigned')
        throw invalidField('face_state', 'must be assigned if a person is given', 'choice');
      return this.give(face, face_person, caller);
    }
    if (face_state === 'ignored') return face.ignore(caller.user_id, this.clock);
    if (face_state === 'assigned') {
      if (face.face_person === null || face_person === null)
        throw invalidField('face_person', 'is required for an assigned face', 'required');
      return this.give(face, face.face_person, caller);
    }
    face.unassign(caller.user_id, this.clock);
  }

  private async give(face: Face, person_id: string, caller: Principal): Promise<void> {
    const person = await this.people.findRow(person_id.toLowerCase());
    if (!person) throw invalidField('face_person', 'must be a person of this workspace', 'reference');
    person.assertPresent();
    face.assign(person.person_id, caller.user_id, this.clock);
    await this.faces.withdrawRejection(face.face_id, person.person_id);
    this.outbox.emitEvent({
      name: 'face.assigned',
      subject_id: face.face_id,
      payload: { person_id: person.person_id, file_id: face.face_file },
    });
    this.upkeep.queueSorting('people');
  }

  private async cutOut(face_id: string, file_id: string, box: FaceBox): Promise<string | null> {
    const key = await this.pictures.cropFace(face_id, file_id, box);
    if (key === null) return null;
    return this.db.write(async () => {
      if (await this.faces.setCrop(face_id, key, box)) return key;
      this.upkeep.queueCropRemoval([key]);
      return (await this.faces.findFaceRow(face_id))?.face_crop ?? null;
    });
  }

  private async readable(caller: Principal, id: string): Promise<FaceRow & { readonly row_version: number }> {
    const row = await this.faces.findFaceRow(id);
    if (!row || (await this.library.findVisible(caller, 'media', [row.face_file])).length === 0) throw notFound('face');
    return row;
  }

  private async answer(caller: Principal, id: string): Promise<FaceAnswer> {
    const { face_hidden: _, ...row } = (await this.readable(caller, id)) as FaceRow & { face_hidden?: boolean };
    const [answer] = await this.toAnswers([row]);
    if (!answer) throw notFound('face');
    return answer;
  }

  private visible(caller: Principal): Sql {
    return sql`NOT r.face_hidden AND EXISTS (SELECT FROM file f WHERE f.tenant_id = ${requireScope().tenant_id} AND f.file_id = r.face_file AND f.repo_type = 'media' AND f.file_deleted IS NULL
      AND (f.file_processing <> 'quarantined' OR ${caller.permissions.has('media:edit')}::boolean))`;
  }
}

async function once(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!violatesConstraint(error, ONCE)) throw error;
    throw alreadyExists('face_person', 'This person already has another face in the file.');
  }
}
