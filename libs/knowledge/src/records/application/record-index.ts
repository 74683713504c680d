import { Injectable } from '@nestjs/common';
import { PassageIndex } from '@atrium/retrieval';
import { scopeOf, type KnowledgeBase } from '../../bases/domain/knowledge-base';
import { RECORD_SOURCE, type RecordStatus } from '../domain/knowledge-record';

/** A record as far as its passages follow from it. */
export interface IndexedRecord {
  readonly rec_id: string;
  readonly rec_status: RecordStatus;
  readonly rec_text: string;
}

/** Keeps the passages of records in step with them, in the unit of work of each change: published ones are found in their base, others nowhere. */
@Injectable()
export class RecordIndex {
  constructor(private readonly passages: PassageIndex) {}

  async indexRecords({ ds_id, config }: Pick<KnowledgeBase, 'ds_id' | 'config'>, records: readonly IndexedRecord[]): Promise<void> {
    const open = records.filter(({ rec_status }) => rec_status === 'published');
    await this.passages.putAll(
      RECORD_SOURCE,
      open.map(({ rec_id, rec_text }) => ({ id: rec_id, version: rec_text })),
      [scopeOf(ds_id)],
      config.chunking,
    );
    await this.hideRecords(records.filter((record) => !open.includes(record)).map(({ rec_id }) => rec_id));
  }

  /** They are out of reach; what was made of them is kept for a day. */
  hideRecords(rec_ids: readonly string[]): Promise<void> {
    return this.passages.removeAll(RECORD_SOURCE, rec_ids);
  }

  /** Nothing of them stays. */
  forgetRecords(rec_ids: readonly string[]): Promise<void> {
    return this.passages.removeAll(RECORD_SOURCE, rec_ids, { forGood: true });
  }
}
