import { Injectable } from '@nestjs/common';
import { Database, listPage, ResourceRepository, type ListParameters, type Page, type Sql } from '@atrium/platform/database';
import { LegalHold } from '../domain/legal-hold';

export type LegalHoldRow = Omit<LegalHold, 'release' | 'tenant_id' | 'row_version'>;

/** Legal holds as aggregates. */
@Injectable()
export class LegalHoldsRepository extends ResourceRepository<LegalHold> {
  constructor(db: Database) {
    super(db, LegalHold, 'legal hold');
  }

  listHolds(query: ListParameters, where: Sql): Promise<Page<LegalHoldRow>> {
    return listPage<LegalHoldRow>(this.db.current(), LegalHold, query, { where, ignore: ['lh_released'] });
  }
}
