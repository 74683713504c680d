import { Flag, Nested, Text } from '@atrium/platform/database';
import { Accepts, acceptParameter, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import { KnowledgeJobView } from '../../work/http/jobs.dto';
import { Crawl } from '../domain/crawl';
import { CrawlPage } from '../domain/crawl-page';
import { CrawlWish } from '../domain/crawl-settings';

/** Body of POST /knowledge-bases/{id}/crawls. */
@Accepts()
export class CreateCrawl extends CrawlWish {
  @Text({ min: 1, max: 2_048, about: 'Where the crawl begins: an address with https.', example: 'https://docs.example.com/' }) url!: string;
  @Text({ omittable: true, min: 1, max: 255, about: 'Name; the host of the address when absent.', example: 'Product documentation' })
  name?: string;
  @Text({
    optional: true,
    min: 1,
    max: 200,
    about: 'When it runs by itself: a cron of five fields; only when asked when absent.',
    example: '0 6 * * 1',
  })
  cron?: string | null;
  @Text({
    omittable: true,
    min: 1,
    max: 64,
    about: 'IANA name of the zone that the cron is read in; UTC when absent.',
    example: 'Europe/Lisbon',
  })
  timezone?: string;
  @Flag({ omittable: true, about: 'Whether it starts at once; yes when absent.' }) start?: boolean;
}

@Accepts()
class ChangeCrawlSettings extends CrawlWish {}

@Accepts()
class ChangedSettings {
  @Nested(() => ChangeCrawlSettings, {
    omittable: true,
    about: 'Settings to change; those that are absent stay, null is the usual value again.',
  })
  crw_settings?: ChangeCrawlSettings;
}

/** Body of PATCH /knowledge-bases/{id}/crawls/{crawl_id}. */
export class ChangeCrawl extends Body(Crawl, { optional: ['crw_name', 'crw_cron', 'crw_timezone', 'crw_active'], with: ChangedSettings }) {}

/** Body of POST /knowledge-bases/{id}/crawls/{crawl_id}/run. */
@Accepts()
export class RunCrawl {
  @Flag({ omittable: true, about: 'Visits every page again and reads it as if it was new.' }) full?: boolean;
  @Flag({ omittable: true, about: 'Removes records of missing pages even when they are more than 30% of those of the crawl.' })
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
  about: 'Whether its records are deleted as well; `keep` when absent.',
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
  @Nested(() => KnowledgeJobView, { optional: true, about: 'Its first job; null where it does not start at once.' })
  job!: KnowledgeJobView | null;
}
