import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Audit, type Principal } from '@atrium/platform/access';
import { Database, requireScope, type Precondition } from '@atrium/platform/database';
import { invalidField } from '@atrium/platform/kernel';
import { defineFileJob, FileJobKinds, FileJobs, type FileJobBatch, type FileJobRow, type FileJobStep } from '@atrium/files';
import { FaceErasureRows, type PersonFace } from '../infrastructure/face-erasure.rows';
import { FaceScanRows } from '../infrastructure/face-scans.rows';
import { digestOfFace, FaceVectors } from '../infrastructure/face-vectors';
import { FacesRepository } from '../infrastructure/faces.repository';
import { PeopleRepository } from '../infrastructure/people.repository';
import { FaceUpkeep } from './face-upkeep';
import { PEOPLE_AUDIT } from './people.audit';
import { PeopleService } from './people.service';

/** Without rights: what was confirmed is erased to the end, also when who confirmed it loses the permission on the way. */
const KIND = defineFileJob('media.erase-faces', { seenWith: ['admin:settings'] });
const AT_ONCE = 200;

/** Erases what people are recognised by: of one person, of whom digests alone are kept, or of a whole workspace. */
@Injectable()
export class FaceErasure implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly rows: FaceErasureRows,
    private readonly faces: FacesRepository,
    private readonly scans: FaceScanRows,
    private readonly people: PeopleRepository,
    private readonly service: PeopleService,
    private readonly vectors: FaceVectors,
    private readonly upkeep: FaceUpkeep,
    private readonly jobs: FileJobs,
    private readonly kinds: FileJobKinds,
    private readonly audit: Audit,
  ) {}

  onModuleInit(): void {
    this.kinds.register({ kind: KIND, whole: true, runStep: (step) => this.step(step) });
  }

  /** The person goes, and of their faces everything but where they are and digests that keep them from being sorted again. */
  async erasePerson(caller: Principal, id: string, precondition?: Precondition): Promise<void> {
    this.service.assertErasure(caller);
    for (
      let known = new Map<string, Buffer>(), missing = await this.tryErase(caller, id, known, precondition);
      missing.length > 0;
      missing = await this.tryErase(caller, id, known, precondition)
    ) {
      const read = await this.vectors.loadVectors(new Map(missing.map(({ face_id, face_updated }) => [face_id, face_updated])));
      known = new Map([
        ...known,
        ...missing.flatMap(({ face_id, face_model }) =>
          read.has(face_id) ? [[face_id, digestOfFace(read.get(face_id) as Float32Array, face_model ?? '')] as const] : [],
        ),
      ]);
      this.vectors.clearCache();
    }
  }

  /** Everything of every face of the workspace; its name says that this is meant. */
  eraseAll(caller: Principal, confirm: string): Promise<FileJobRow> {
    return this.db.write(async () => {
      const { tenant_id } = requireScope();
      const row = await this.rows.findWorkspace();
      if (row?.ws_name !== confirm) throw invalidField('confirm', 'must be the name of the workspace', 'confirm');
      this.audit.record({
        type: PEOPLE_AUDIT['faces.erased'],
        target: { type: 'workspace', id: tenant_id, name: row.ws_name },
        after: { faces: row.faces },
      });
      return this.jobs.startJob(caller, { kind: KIND, params: {}, total: row.faces, subject: KIND.name });
    });
  }

  /** The faces whose digests are not known yet; none when it is done. */
  private tryErase(caller: Principal, id: string, known: ReadonlyMap<string, Buffer>, precondition?: Precondition): Promise<PersonFace[]> {
    return this.db.write(async () => {
      await this.faces.lockAll();
      const person = await this.people.lock(id, precondition);
      person.assertPresent();
      const faces = await this.rows.findFacesOf(id);
      const missing = faces.filter(({ face_id, has_vector }) => has_vector && !known.has(face_id));
      if (missing.length > 0) return missing;
      await this.faces.rememberErased([...known.values()]);
      const ids = faces.map(({ face_id }) => face_id);
      await this.rows.eraseFaces(ids, caller.user_id);
      await this.faces.deleteSuggestions(ids);
      this.upkeep.queueCropRemoval(faces.flatMap(({ face_crop }) => face_crop ?? []));
      await this.people.remove(person);
      await this.faces.resetUnsuggested();
      this.audit.record({ type: PEOPLE_AUDIT['person.erased'], target: { type: 'person', id, name: id }, after: { faces: ids.length } });
      return [];
    });
  }

  /** Rows first, in batches; people when no face is left. */
  private step(_step: FileJobStep): Promise<FileJobBatch> {
    this.vectors.clearCache();
    return this.db.write(async () => {
      await this.faces.lockAll();
      const ids = await this.rows.findFirstFaces(AT_ONCE);
      this.upkeep.queueCropRemoval(await this.faces.deleteFaces(ids));
      if (ids.length === AT_ONCE) return { checkpoint: ids.at(-1) ?? null, done: ids.length, failed: 0, errors: [] };
      await this.rows.deletePeople();
      await this.scans.deleteScans();
      await this.rows.deleteDigests();
      return { checkpoint: null, done: ids.length, failed: 0, errors: [] };
    });
  }
}
