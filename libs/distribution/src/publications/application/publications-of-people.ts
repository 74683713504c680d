import { ReadableFiles, ReleasableFiles } from '@atrium/files';
import { PersonDataSources, type PersonReader } from '@atrium/governance';
import { raw, sql, type Sql } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import { Injectable } from '@nestjs/common';
import { VIEW_PUBLICATIONS } from './publish-set';
import { VIEW_RULES } from '../../control/application/evaluation.service';

const CODE = 'It is a code of the service and contains no text that a person wrote.';
const ADDRESS = 'It is the public URL of the published file, which other websites link to; it ends with the publication.';
const RELEASED = 'Publications belong to the workspace; who published is kept by id, which no longer refers to a name.';
const RULES = 'Rules belong to the workspace; who created one is kept by id, which no longer refers to a name.';

/** How many publications name a rule counts closed ones too; who does not keep the rules counts those that they see. */
const withoutCount = ({ dr_publication_count: _, ...rule }: JsonObject): JsonObject => rule;

/** What publications and rules keep of people: who released a file, who made a rule. */
@Injectable()
export class PublicationsOfPeople {
  constructor(
    sources: PersonDataSources,
    private readonly releasable: ReleasableFiles,
    private readonly readable: ReadableFiles,
  ) {
    sources.register({
      context: 'publications',
      order: 60,
      tables: [
        {
          table: 'publication',
          column: 'pub_created_by',
          subject: 'user',
          on_erase: 'keep',
          because: RELEASED,
          hidden: ['pub_object', 'pub_copy_object', 'pub_search'],
        },
        { table: 'publication_history', column: 'ph_actor', subject: 'user', on_erase: 'keep', because: RELEASED },
        {
          table: 'distribution_restriction',
          column: 'dr_created_by',
          subject: 'user',
          on_erase: 'keep',
          because: RULES,
          hidden: ['dr_name_key'],
        },
      ],
      stays: {
        'publication_stat.ps_country': CODE,
        'publication_stat.ps_outcome': CODE,
        'publication.pub_key': ADDRESS,
        'publication.pub_name': ADDRESS,
        'publication.pub_url': ADDRESS,
        'publication.pub_object': ADDRESS,
        'publication.pub_copy_object': ADDRESS,
      },
      own: {
        publication: { readable: (reader) => this.open('r', reader) },
        publication_history: {
          readable: (reader) =>
            sql`EXISTS (SELECT FROM publication p WHERE p.tenant_id = r.tenant_id AND p.pub_id = r.ph_publication AND ${this.open('p', reader)})`,
        },
        distribution_restriction: {
          readable: (reader) =>
            reader === null || VIEW_RULES.some((permission) => reader.permissions.has(permission)) ? sql`true` : sql`false`,
          shown: (rows, _, reader) => Promise.resolve(reader?.permissions.has('admin:distribution') ? rows : rows.map(withoutCount)),
        },
      },
    });
  }

  /** Condition on a row of `publication`: the person sees the file that is released; of one who cannot act any more, everybody does. */
  private open(alias: 'r' | 'p', reader: PersonReader): Sql {
    const [file, type] = [raw(`${alias}.pub_file`), raw(`${alias}.pub_repo_type`)];
    if (reader === null) return this.readable.openBy(file, null);
    const isShown = VIEW_PUBLICATIONS.some((permission) => reader.permissions.has(permission));
    return isShown ? this.releasable.visibleCondition(reader, { file, type }) : sql`false`;
  }
}
