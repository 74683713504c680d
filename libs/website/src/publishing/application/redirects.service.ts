import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, violatesConstraint, type ListParameters, type Page } from '@atrium/platform/database';
import { alreadyExists, Clock, Ids, invalidField, notFound, Problem } from '@atrium/platform/kernel';
import { SiteAccess } from '../../sites/application/site-access';
import { SiteNumbers } from '../../sites/application/site-numbers';
import type { Site } from '../../sites/domain/site';
import type { LivePage } from '../domain/live-page';
import { fullPath, hashOfPath, splitFullPath } from '../domain/live-path';
import { readFromPath, readTarget } from '../domain/redirect-address';
import { assertNoLoop, MOST_REDIRECTS, Redirect, type RedirectStatus } from '../domain/redirect';
import { LivePagesRows } from '../infrastructure/live-pages.rows';
import { RedirectsRepository, type RedirectRow } from '../infrastructure/redirects.repository';
import { prefixOf } from './site-prefix';

export type { RedirectRow };

export interface RedirectFacts {
  readonly red_from: string;
  readonly red_locale?: string | null;
  readonly red_to?: string | null;
  readonly red_node?: string | null;
  readonly red_status?: RedirectStatus;
}

/** Redirects that people make. */
@Injectable()
export class RedirectsService {
  constructor(
    private readonly db: Database,
    private readonly redirects: RedirectsRepository,
    private readonly rows: LivePagesRows,
    private readonly access: SiteAccess,
    private readonly numbers: SiteNumbers,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  list(caller: Principal, site_id: string, query: ListParameters): Promise<Page<RedirectRow>> {
    return this.db.read(async () => {
      await this.access.requireReadable(caller, site_id);
      return this.redirects.listRedirects(site_id, query);
    });
  }

  create(caller: Principal, site_id: string, facts: RedirectFacts): Promise<RedirectRow> {
    const { red_locale = null, red_node = null, red_status = 301 } = facts;
    return this.db.write(async () => {
      const site = await this.access.requireEditable(caller, site_id);
      if (red_locale !== null && !site.site_locales.some(({ code }) => code === red_locale))
        throw invalidField('red_locale', 'must be a locale of the site', 'reference');
      const red_from = readFromPath(facts.red_from);
      const red_to = facts.red_to == null ? null : readTarget(facts.red_to);
      assertOneTarget({ red_to, red_node, red_status });
      if (red_node !== null && (await this.rows.findUnknown(site_id, [red_node])).length > 0)
        throw invalidField('red_node', 'must be the id of a page of the site', 'reference');
      await this.assertNotLive(site, red_from, red_locale);
      await assertNoLoop({ red_from, red_to }, (addresses) => this.redirects.findRule(site_id, red_locale, addresses), site.site_base_url);
      // Before the redirects, as a publish takes them.
      await this.numbers.takeNext(site_id);
      if (await this.redirects.isFull(site_id)) throw tooManyRedirects();
      const redirect = Redirect.blank(
        {
          red_id: this.ids.next(),
          red_site: site_id,
          red_from,
          red_locale,
          red_to,
          red_node,
          red_status,
          red_kind: 'manual',
          red_created_by: caller.user_id,
        },
        this.clock.now(),
      );
      await this.insertOnce(redirect);
      const { red_from_hash: _, red_created_by: __, tenant_id: ___, row_version: ____, ...shown } = redirect;
      return shown;
    });
  }

  remove(caller: Principal, site_id: string, red_id: string): Promise<void> {
    return this.db.write(async () => {
      await this.access.requireEditable(caller, site_id);
      await this.numbers.takeNext(site_id);
      const redirect = await this.redirects.lock(red_id);
      if (redirect.red_site !== site_id) throw notFound('redirect');
      await this.redirects.remove(redirect);
    });
  }

  /** Where pages that are taken down shall lead, in the form in which it is stored: nowhere that leads back to them. */
  async readDeparture(
    site: Pick<Site, 'site_id' | 'site_locales' | 'site_base_url'>,
    pages: readonly Pick<LivePage, 'locale' | 'path'>[],
    redirect_to: string,
  ): Promise<string> {
    const red_to = readTarget(redirect_to, 'redirect_to');
    for (const { locale, path } of pages)
      await assertNoLoop(
        { red_from: fullPath(prefixOf(site, locale), path), red_to },
        (addresses) => this.redirects.findRule(site.site_id, locale, addresses),
        site.site_base_url,
      );
    return red_to;
  }

  /** Visitors would never meet a redirect from a page that is live. */
  private async assertNotLive(site: Site, red_from: string, red_locale: string | null): Promise<void> {
    const split = splitFullPath(site.site_locales, red_from);
    if (!split || (red_locale !== null && split.locale !== red_locale)) return;
    if (await this.rows.isTaken(site.site_id, split.locale, hashOfPath(split.path)))
      throw invalidField('red_from', 'is the path of a published page', 'in_use');
  }

  private async insertOnce(redirect: Redirect): Promise<void> {
    try {
      await this.redirects.insert(redirect);
    } catch (error) {
      if (violatesConstraint(error, 'site_redirect_taken'))
        throw alreadyExists('red_from', 'A redirect from this path already exists. Delete it first.');
      throw error;
    }
  }
}

function assertOneTarget({
  red_to,
  red_node,
  red_status,
}: {
  readonly red_to: string | null;
  readonly red_node: string | null;
  readonly red_status: number;
}): void {
  if (red_status === 410 && (red_to !== null || red_node !== null))
    throw invalidField('red_status', 'must not be 410 for a redirect with a target', 'conflict');
  if (red_status !== 410 && (red_to === null) === (red_node === null))
    throw invalidField('red_to', 'or red_node is required, and not both', 'required');
}

const tooManyRedirects = (): Problem =>
  new Problem('limit_reached', `A site can have at most ${MOST_REDIRECTS.toLocaleString('en')} redirects. Delete some first.`);
