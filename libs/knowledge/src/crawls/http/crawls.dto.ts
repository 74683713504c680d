import { Flag, Nested } from '@atrium/platform/database';
import { Accepts, acceptParameter, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import { KnowledgeJobView } from '../../work/http/jobs.dto';
import { Crawl } from '../domain/crawl';
import { CrawlPage } from '../domain/crawl-page';
import { CrawlWish } from '../domain/crawl-settings';

@Accepts()
class CrawlSettingsBody extends CrawlWish {}

@Accepts()
class NewSettings {
  @Nested(() => CrawlSettingsBody, { omittable: true, about: 'Settings of the crawl. Omitted settings have their default.' })
  crw_settings?: CrawlSettingsBody;
  @Flag({ omittable: true, about: 'Whether to start the crawl immediately; true when omitted.' }) start?: boolean;
}

/** Body of POST /knowledge-bases/{id}/crawls. */
export class CreateCrawl extends Body(Crawl, {
  required: ['crw_url'],
  optional: ['crw_name', 'crw_cron', 'crw_timezone'],
  with: NewSettings,
}) {}

@Accepts()
class ChangedSettings {
  @Nested(() => CrawlSettingsBody, {
    omittable: true,
    about: 'Settings to change. Omitted settings stay as they are; null restores the default.',
  })
  crw_settings?: CrawlSettingsBody;
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
