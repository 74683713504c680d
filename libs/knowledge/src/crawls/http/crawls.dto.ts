import { Flag, Nested, Text } from '@atrium/platform/database';
import { Accepts, acceptParameter, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import { KnowledgeJobView } from '../../work/http/jobs.dto';
import { Crawl } from '../domain/crawl';
import { CrawlPage } from '../domain/crawl-page';
import { CrawlWish } from '../domain/crawl-settings';

/** Body of POST /knowledge-bases/{id}/crawls. */
@Accepts()
export class CreateCrawl extends CrawlWish {
  @Text({ min: 1, max: 2_048, about: 'Start URL, with https.', example: 'https://docs.example.com/' }) url!: string;
  @Text({
    omittable: true,
    min: 1,
    max: 255,
    about: 'Name of the crawl; the host of the URL when omitted.',
    example: 'Product documentation',
  })
  name?: string;
  @Text({
    optional: true,
    min: 1,
    max: 200,
    about: 'Schedule, as a cron expression with five fields; when omitted, the crawl runs only on request.',
    example: '0 6 * * 1',
  })
  cron?: string | null;
  @Text({
    omittable: true,
    min: 1,
    max: 64,
    about: 'Time zone of the schedule (IANA name); UTC when omitted.',
    example: 'Europe/Lisbon',
  })
  timezone?: string;
  @Flag({ omittable: true, about: 'Whether to start the crawl immediately; true when omitted.' }) start?: boolean;
}

@Accepts()
class ChangeCrawlSettings extends CrawlWish {}

@Accepts()
class ChangedSettings {
  @Nested(() => ChangeCrawlSettings, {
    omittable: true,
    about: 'Settings to change. Omitted settings stay as they are; null restores the default.',
  })
  crw_settings?: ChangeCrawlSettings;
}

/** Body of PATCH /knowledge-bases/{id}/crawls/{crawl_id}. */
export class ChangeCrawl extends Body(Crawl, { optional: ['crw_name', 'crw_cron', 'crw_timezone', 'crw_active'], with: ChangedSettings }) {}

/** Body of POST /knowledge-bases/{id}/crawls/{crawl_id}/run. */
@Accepts()
export class RunCrawl {
  @Flag({ omittable: true, about: 'Whether to fetch every page again and read it as if it were new.' }) full?: boolean;
  @Flag({
    omittable: true,
    about: 'Whether to remove the records of missing pages even if they are more than 30% of the records of the crawl.',
  })
  force_removes?: boolean;
}

/** Query of DELETE /knowledge-bases/{id}/crawls/{crawl_id}. */
export class DeleteCrawl {
  records?: 'keep' | 'remove';
}
acceptParameter(DeleteCrawl, {
  name: 'records',
  kind: 'choice',
  values: ['keep', 'remove'],
  about: 'Whether to keep or delete the records of the crawl; `keep` when omitted.',
});

export class ListCrawls extends ListQuery(Crawl) {}
export class ListCrawlPages extends ListQuery(CrawlPage) {}

@Answer()
export class CrawlView extends View(Crawl) {}
export class KnowledgeCrawlPage extends PageOf(CrawlView) {}

@Answer()
class CrawlPageView extends View(CrawlPage) {}
export class CrawlPagePage extends PageOf(CrawlPageView) {}

@Answer()
export class StartedCrawlView {
  @Nested(() => CrawlView, { about: 'The crawl.' }) crawl!: CrawlView;
  @Nested(() => KnowledgeJobView, { optional: true, about: 'The first job; null if the crawl was not started.' })
  job!: KnowledgeJobView | null;
}
