import { Id, Json, Ref, Resource, Stamp, TenantRow, Text, TextList, Whole } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';

/** A live page as lists read it. */
@Resource({ table: 'page_publication', sort: '-published' })
export class LivePageRow extends TenantRow {
  /** What it shows: the owner of its values in the index by which lists filter and sort. */
  @Id() readonly np_snapshot!: string;
  @Ref() readonly np_node!: string;
  @Text() readonly np_locale!: string;
  @Text() readonly np_path!: string;
  @Text() readonly np_name!: string;
  @Text({ optional: true }) readonly np_template_key!: string | null;
  @TextList() readonly np_tags!: string[];
  @Whole() readonly np_from_seq!: number;
  @Stamp() readonly np_published!: Date;
  @Stamp() readonly np_first_published!: Date;
  @Json({ internal: true, optional: true }) readonly np_link!: JsonObject | null;
}
