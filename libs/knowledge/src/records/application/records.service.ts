import { Injectable } from '@nestjs/common';
import { isTaken } from '@atrium/forms';
import type { Principal } from '@atrium/platform/access';
import { Database, type Precondition } from '@atrium/platform/database';
import { assertExact, Clock, Ids, invalidFields, normalized, notFound, Problem, type FieldFault } from '@atrium/platform/kernel';
import { BaseAccess } from '../../bases/application/base-access';
import { BaseHolds } from '../../bases/application/base-holds';
import { RESTORABLE_MS } from '../../bases/domain/knowledge-base';
import type { KnowledgeRecord } from '../domain/knowledge-record';
import type { CleanWish, RecordWish } from '../domain/record-facts';
import { RecordsRepository } from '../infrastructure/records.repository';
import { RecordBodies } from './record-bodies';
import { draftsOf, refusedDraft, TAKEN, type RecordDraft, type Written } from './record-drafts';
import { RecordList, type VersionedRecord } from './record-list';
import { keyIn, RecordPreparation, type OpenBase } from './record-preparation';
import { RecordShapes } from './record-shapes';
import { RecordWriter } from './record-writer';

/** Single records as clients write them. */
@Injectable()
export class RecordsService {
  constructor(
    private readonly db: Database,
    private readonly access: BaseAccess,
    private readonly holds: BaseHolds,
    private readonly shapes: RecordShapes,
    private readonly bodies: RecordBodies,
    private readonly records: RecordsRepository,
    private readonly preparation: RecordPreparation,
    private readonly writer: RecordWriter,
    private readonly rows: RecordList,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  async create(caller: Principal, ds_id: string, asked: RecordWish): Promise<VersionedRecord> {
    const wish = await this.cleaned(caller, ds_id, asked);
    return this.db.write(async () => {
      const base = await this.access.keepBase(caller, ds_id, 'edit');
      const open = { base, shape: await this.shapes.readShapeForWriting(base) };
      const known = await this.preparation.findKnownRecords(open, [wish], undefined);
      const { drafts, refusals } = draftsOf([wish], known, (entry) => keyIn(entry, undefined, open.shape), {
        upsert: false,
        ids: this.ids,
      });
      const written = new Map([...refusals, ...(await this.writer.writeDrafts(open, drafts, { source: sourceOf(caller) }, caller))]);
      return this.rows.readRecord(caller, base, writtenId(written.get(0)));
    });
  }

  async change(caller: Principal, ds_id: string, rec_id: string, asked: RecordWish, precondition?: Precondition): Promise<VersionedRecord> {
    const wish = await this.cleaned(caller, ds_id, asked);
    return this.db.write(async () => {
      const base = await this.access.keepBase(caller, ds_id, 'edit');
      const previous = await this.records.lockToChange(rec_id, {}, precondition, this.recordOf(ds_id));
      const open = { base, shape: await this.shapes.readShapeForWriting(base, { content: wish.rec_content !== undefined }) };
      await this.assertFreeKey(open, previous, wish);
      const draft: RecordDraft = { at: 0, rec_id, wish, previous };
      const written = await this.writer.writeDrafts(open, [draft], { source: previous.rec_source }, caller);
      return this.rows.readRecord(caller, base, writtenId(written.get(0)));
    });
  }

  remove(caller: Principal, ds_id: string, rec_id: string, precondition?: Precondition): Promise<void> {
    return this.db.write(async () => {
      await this.access.keepBase(caller, ds_id, 'edit');
      if (!(await this.records.lockToDelete(rec_id, precondition, this.recordOf(ds_id)))) return;
      await this.holds.assertNone(ds_id);
      await this.writer.removeMany(ds_id, { rec_ids: [rec_id] }, caller);
    });
  }

  /** Before the unit of work, which must not wait for it; who may not write has nothing read. */
  private async cleaned(caller: Principal, ds_id: string, wish: RecordWish): Promise<CleanWish> {
    const { form_id } = await this.db.read(() => this.access.requireReadable(caller, ds_id, 'edit'));
    assertExact('rec_content', wish.rec_content);
    assertExact('rec_metadata', wish.rec_metadata);
    return this.bodies.cleanBody(form_id, withOneId(wish));
  }

  private recordOf(ds_id: string): (record: KnowledgeRecord) => void {
    const before = this.clock.after(-RESTORABLE_MS);
    return (record) => {
      if (record.rec_base !== ds_id || record.wasDeletedBefore(before)) throw notFound('record');
    };
  }

  private async assertFreeKey(open: OpenBase, { rec_id }: KnowledgeRecord, wish: RecordWish): Promise<void> {
    const [other] = [...(await this.preparation.findKnownRecords(open, [wish], undefined)).values()];
    if (other && other.rec_id !== rec_id) throw problemOf([TAKEN]);
  }
}

/** Ids are keys that people type: letters with their marks apart are those in one piece. */
const withOneId = ({ rec_external_id: id, ...wish }: RecordWish): RecordWish =>
  id === undefined ? wish : { ...wish, rec_external_id: id === null ? null : normalized(id, 'NFC') };

const sourceOf = ({ key_id }: Principal): 'api' | 'manual' => (key_id === null ? 'manual' : 'api');

function writtenId(written: Written = refusedDraft()): string {
  if (written.outcome === 'refused') throw problemOf(written.issues);
  return written.rec_id;
}

/** What a client is answered for an entry that was refused. */
function problemOf(issues: readonly FieldFault[]): Problem {
  const [only] = issues;
  if (only && issues.every(isTaken)) return new Problem('already_exists', only.message, { errors: issues });
  if (only?.path === 'rec_content' && only.code === 'length') return new Problem('payload_too_large', only.message, { errors: issues });
  return invalidFields(issues);
}
