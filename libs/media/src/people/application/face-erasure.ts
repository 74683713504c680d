import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Audit, type Principal } from '@atrium/platform/access';
import { Database, requireScope, sql, type Precondition } from '@atrium/platform/database';
import { invalidField } from '@atrium/platform/kernel';
import { defineFileJob, FileJobKinds, FileJobs, type FileJobBatch, type FileJobRow, type FileJobStep } from '@atrium/files';
import { digestOfFace, FaceVectors } from '../infrastructure/face-vectors';
import { FacesRepository } from '../infrastructure/faces.repository';
import { PeopleRepository } from '../infrastructure/people.repository';
import { FaceUpkeep } from './face-upkeep';
import { PEOPLE_AUDIT } from './people.audit';
import { PeopleService } from './people.service';

const KIND = defineFileJob('media.erase-faces', { seenWith: ['admin:settings'], rights: () => ({ permission: 'admin:settings' }) });
const AT_ONCE = 200;

type ErasedFace = { readonly face_id: string; readonly face_model: string | null; readonly face_updated: string };

/** Erases what people are recognised by: of one person, of whom digests alone are kept, or of a whole workspace. */
@Injectable()
export class FaceErasure implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly faces: FacesRepository,
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
    return this.db.write(async (tx) => {
      const { tenant_id } = requireScope();
      const row = await tx.first<{ ws_name: string; faces: number }>(
        sql`SELECT w.ws_name, (SELECT count(*) FROM face f WHERE f.tenant_id = w.tenant_id) AS faces FROM workspace w WHERE w.tenant_id = ${tenant_id}`,
      );
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
  private tryErase(caller: Principal, id: string, known: ReadonlyMap<string, Buffer>, precondition?: Precondition): Promise<ErasedFace[]> {
    return this.db.write(async (tx) => {
      await this.faces.lockAll();
      const person = await this.people.lock(id, precondition);
      person.assertPresent();
      const { tenant_id } = requireScope();
      const faces = await tx.query<ErasedFace & { face_crop: string | null; has_vector: boolean }>(sql`
        SELECT face_id, face_model, face_updated, face_crop, face_embedding IS NOT NULL AS has_vector FROM face WHERE tenant_id = ${tenant_id} AND face_person = ${id}::uuid ORDER BY face_id`);
      const missing = faces.filter(({ face_id, has_vector }) => has_vector && !known.has(face_id));
      if (missing.length > 0) return missing;
      await this.faces.rememberErased([...known.values()]);
      const ids = faces.map(({ face_id }) => face_id);
      await tx.execute(sql`
        UPDATE face SET face_person = NULL, face_state = 'ignored', face_decided = true, face_decided_by = ${caller.user_id}::uuid, face_embedding = NULL, face_crop = NULL, face_erased = true, face_updated = clock_timestamp(), row_version = row_version + 1
        WHERE tenant_id = ${tenant_id} AND face_id = ANY(${ids}::uuid[])`);
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
    return this.db.write(async (tx) => {
      await this.faces.lockAll();
      const { tenant_id } = requireScope();
      const rows = await tx.query<{ face_id: string }>(
        sql`SELECT face_id FROM face WHERE tenant_id = ${tenant_id} ORDER BY face_id LIMIT ${AT_ONCE}`,
      );
      this.upkeep.queueCropRemoval(await this.faces.deleteFaces(rows.map(({ face_id }) => face_id)));
      if (rows.length === AT_ONCE) return { checkpoint: rows.at(-1)?.face_id ?? null, done: rows.length, failed: 0, errors: [] };
      await tx.execute(sql`DELETE FROM person WHERE tenant_id = ${tenant_id}`);
      await tx.execute(sql`DELETE FROM face_scan WHERE tenant_id = ${tenant_id}`);
      await tx.execute(sql`DELETE FROM face_erasure WHERE tenant_id = ${tenant_id}`);
      return { checkpoint: null, done: rows.length, failed: 0, errors: [] };
    });
  }
}
