import { Injectable } from '@nestjs/common';
import { ReleasableFiles } from '@atrium/files';
import type { Principal } from '@atrium/platform/access';
import { Database, join, sql, type ListParameters, type Page } from '@atrium/platform/database';
import { notFound } from '@atrium/platform/kernel';
import { RestrictionsRepository, type RestrictionRow } from '../../control/infrastructure/restrictions.repository';
import type { PublicationEvent } from '../domain/publication-event';
import { PublicationsRepository, type PublicationRow } from '../infrastructure/publications.repository';
import { PublicationJournal } from './publication-journal';

export type { PublicationRow } from '../infrastructure/publications.repository';

export type BaselineRule = Pick<RestrictionRow, 'dr_id' | 'dr_name' | 'dr_kind' | 'dr_effect' | 'dr_values' | 'dr_timezone'>;
export type PublicationAnswer = PublicationRow & { readonly row_version: number; readonly pub_baseline: readonly BaselineRule[] };

export interface ListedPublications extends ListParameters {
  readonly search?: string;
}

/** Publications as those read them who may see their files, each with the baseline that applies besides its own rules. */
@Injectable()
export class PublicationAnswers {
  constructor(
    private readonly db: Database,
    private readonly publications: PublicationsRepository,
    private readonly restrictions: RestrictionsRepository,
    private readonly files: ReleasableFiles,
    private readonly journal: PublicationJournal,
  ) {}

  list(caller: Principal, query: ListedPublications): Promise<Page<PublicationRow>> {
    return this.db.read(async () => {
      const where = [this.files.visibleCondition(caller, { file: sql`r.pub_file`, type: sql`r.pub_repo_type` })];
      if (query.search !== undefined) where.push(await this.publications.buildTextCondition(query.search));
      return this.publications.listPublications(query, join(where, ' AND '));
    });
  }

  get(caller: Principal, id: string): Promise<PublicationAnswer> {
    return this.db.read(() => this.readAnswer(id, caller));
  }

  getPublicationOfFile(caller: Principal, file_id: string): Promise<PublicationAnswer> {
    return this.db.read(async () => {
      const id = await this.publications.findPublicationId(file_id);
      if (id === null) throw notFound('publication of this file');
      return this.readAnswer(id, caller);
    });
  }

  listHistory(caller: Principal, id: string, query: ListParameters): Promise<Page<PublicationEvent>> {
    return this.db.read(async () => {
      await this.readAnswer(id, caller);
      return this.journal.listEvents(id, query);
    });
  }

  /** Within a unit of work; without a caller for one who has just changed it. */
  async readAnswer(id: string, caller?: Principal): Promise<PublicationAnswer> {
    const row = await this.publications.findPublicationRow(id);
    if (!row) throw notFound('publication');
    const { pub_repo_type, ...shown } = row;
    if (caller) await this.files.assertVisible(caller, { file_id: row.pub_file, repo_type: pub_repo_type });
    return {
      ...shown,
      pub_baseline: (await this.restrictions.findBaseline()).map(({ dr_id, dr_name, dr_kind, dr_effect, dr_values, dr_timezone }) => ({
        dr_id,
        dr_name,
        dr_kind,
        dr_effect,
        dr_values,
        dr_timezone,
      })),
    };
  }
}
