import { Nested, NestedList, Ref } from '@atrium/platform/database';
import { acceptParameter, Answer, ListQuery, PageOf } from '@atrium/platform/http';
import { VariantMetricsView } from '../../posts/http/posts.dto';

@Answer()
export class PostMetricsView {
  @Ref({ about: 'Id of the variant.' }) spv_id!: string;
  @Ref({ about: 'Target of the variant.' }) spv_target!: string;
  @Nested(() => VariantMetricsView, { optional: true, about: 'Newest numbers. Null if there are none yet.' })
  newest!: VariantMetricsView | null;
  @NestedList(() => VariantMetricsView, { about: 'Numbers in the order of time.' }) series!: VariantMetricsView[];
}

export class PostMetricsPage extends PageOf(PostMetricsView) {}

/** Query of GET /social-posts/{id}/metrics. */
export class ListPostMetrics extends ListQuery(PostMetricsView, { whole: true }) {
  from?: Date;
  to?: Date;
}
acceptParameter(ListPostMetrics, { name: 'from', kind: 'stamp', about: 'Only numbers from this time on.' });
acceptParameter(ListPostMetrics, { name: 'to', kind: 'stamp', about: 'Only numbers until this time.' });
