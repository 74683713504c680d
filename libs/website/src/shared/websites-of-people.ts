import { Injectable } from '@nestjs/common';
import { PersonDataSources, type PersonReader } from '@atrium/governance';
import { AclSources } from '@atrium/identity';
import { raw, sql, type Sql } from '@atrium/platform/database';
import { holdOfNode, holdOfPage, holdOfSite, holdOfVersion } from './website-holds';

const AUTHOR = 'Websites belong to the workspace. The id of the author remains, but no longer identifies anyone.';
const PUBLISHER = 'What was live belongs to the workspace. The id of the person who published it remains, but no longer identifies anyone.';
const ASKER = 'A record of work. The id of the person who requested it remains, but no longer identifies anyone.';
const EXTERNAL = 'An identity, address or version at the CMS, which decides what it says.';
const MANAGER = 'The name of an extension, never of a person.';
const ADDRESS = 'Part of the address of a page, which links elsewhere lead to. Editors change it with the page.';
const KEY = 'A key of the service, which is not derived from words of people.';

/** What all areas keep of people: each context registers its columns once. */
@Injectable()
export class WebsitesOfPeople {
  constructor(sources: PersonDataSources, acls: AclSources) {
    const ofSite = (column: string) => ({
      readable: (reader: PersonReader): Sql => acls.readableByCondition('site', sql`${raw(`r.${column}`)}`, reader),
    });
    sources.register({
      context: 'website',
      order: 107,
      tables: [
        {
          table: 'site',
          column: 'site_created_by',
          subject: 'user',
          on_erase: 'keep',
          because: AUTHOR,
          hidden: ['site_name_key', 'site_acl', 'site_contacts'],
        },
        {
          table: 'node',
          column: 'node_created_by',
          subject: 'user',
          on_erase: 'keep',
          because: AUTHOR,
          hidden: ['node_name_key', 'node_lineage', 'node_order'],
        },
        { table: 'node', column: 'node_updated_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: AUTHOR },
        { table: 'node', column: 'node_removed_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: AUTHOR },
        { table: 'node_locale', column: 'nl_updated_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: AUTHOR },
        { table: 'page_version', column: 'ver_created_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: AUTHOR },
        { table: 'page_publication', column: 'np_published_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: PUBLISHER },
        { table: 'publish_schedule', column: 'sch_created_by', subject: 'user', on_erase: 'keep', because: PUBLISHER },
        {
          table: 'preview_link',
          column: 'prv_created_by',
          subject: 'user',
          on_erase: 'keep',
          because: AUTHOR,
          hidden: ['prv_token_hash'],
        },
        { table: 'site_redirect', column: 'red_created_by', subject: 'user', on_erase: 'keep', because: AUTHOR, hidden: ['red_from_hash'] },
        {
          table: 'cms_connection',
          column: 'cms_created_by',
          subject: 'user',
          on_erase: 'keep',
          because: AUTHOR,
          hidden: ['cms_secrets', 'cms_hook_key'],
        },
        { table: 'cms_run', column: 'job_created_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: ASKER },
        { table: 'content_schema', column: 'tpl_managed_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: MANAGER },
      ],
      stays: {
        'cms_asset.cas_external_id': EXTERNAL,
        'cms_asset.cas_hash': KEY,
        'cms_asset.cas_url': EXTERNAL,
        'cms_component.cmp_key': KEY,
        'cms_connection.cms_hook_external': EXTERNAL,
        'cms_connection.cms_hook_key': KEY,
        'cms_connection.cms_secrets': KEY,
        'cms_link.lnk_base_hash': KEY,
        'cms_link.lnk_external_id': EXTERNAL,
        'cms_link.lnk_external_path': ADDRESS,
        'cms_link.lnk_external_version': EXTERNAL,
        'cms_link.lnk_intended_hash': KEY,
        'cms_link.lnk_local_hash': KEY,
        'cms_link.lnk_local_stamp': KEY,
        'cms_link.lnk_remote_hash': KEY,
        'cms_news.news_page': EXTERNAL,
        'cms_run_page.crp_external_id': EXTERNAL,
        'cms_run_page.crp_external_path': ADDRESS,
        'cms_run_page.crp_external_version': EXTERNAL,
        'cms_run_page.crp_parent': EXTERNAL,
        'node.node_lineage': KEY,
        'node.node_slug': ADDRESS,
        'node.node_slugs': ADDRESS,
        'node_locale.nl_locale': KEY,
        'node_locale.nl_live_slug': ADDRESS,
        'node_locale.nl_slug': ADDRESS,
        'page_part.part_hash': KEY,
        'page_publication.np_path': ADDRESS,
        'page_publication.np_slug': ADDRESS,
        'page_snapshot_ref.snref_hash': KEY,
        'site.site_key': KEY,
        'site_redirect.red_from': ADDRESS,
      },
      own: {
        cms_connection: ofSite('cms_site'),
        node: ofSite('node_site'),
        publish_schedule: ofSite('sch_site'),
        preview_link: ofSite('prv_site'),
        site_redirect: ofSite('red_site'),
      },
    });
    sources.registerHold('site', () => holdOfSite('r'));
    sources.registerHold('node', () => holdOfNode('r'));
    sources.registerHold('node_locale', () => holdOfPage('r', 'nl_node'));
    sources.registerHold('page_version', () => holdOfVersion('r'));
    sources.registerHold('page_part', () => holdOfPage('r', 'part_node'));
    sources.registerHold('page_snapshot', () => holdOfPage('r', 'snap_node'));
    sources.registerHold('page_publication', () => holdOfPage('r', 'np_node'));
  }
}
