import { Text } from '@atrium/platform/database';
import { Answer, ListQuery, PageOf, View } from '@atrium/platform/http';
import { KnowledgeJob } from '../domain/knowledge-job';

export class ListKnowledgeJobs extends ListQuery(KnowledgeJob) {}

@Answer()
export class KnowledgeJobView extends View(KnowledgeJob) {
  @Text({
    optional: true,
    max: 8_192,
    format: 'uri',
    about: 'Signed address of a CSV of the rows or pages that failed, for 15 minutes; null where none did.',
  })
  report_url!: string | null;
}

export class KnowledgeJobPage extends PageOf(KnowledgeJobView) {}
