import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { Clock, Ids, invalidState } from '@atrium/platform/kernel';
import { ContentLibrary } from '../../schemas/domain/content-library';
import type { ContentSchema } from '../../schemas/domain/content-schema';
import { ContentLibrariesRepository } from '../../schemas/infrastructure/content-libraries.repository';
import { ContentSchemasRepository } from '../../schemas/infrastructure/content-schemas.repository';
import type { Site } from '../../sites/domain/site';
import { SitesRepository } from '../../sites/infrastructure/sites.repository';
import type { CmsSiteConnection } from '../domain/cms-site-connection';
import type { CmsProvider } from '../domain/cms-port';
import type { RemoteSchema } from '../domain/cms-schema';
import { LibrarySchemaRows } from '../infrastructure/library-schemas.rows';
import { providerName } from './cms-mails';

const LONGEST_NAME = 200;

type MirroredSpace = Pick<CmsSiteConnection, 'cms_provider' | 'cms_space'>;

/** The library in which the components of a site's CMS are mirrored. */
@Injectable()
export class MirrorLibrary {
  constructor(
    private readonly db: Database,
    private readonly libraries: ContentLibrariesRepository,
    private readonly schemas: ContentSchemasRepository,
    private readonly rows: LibrarySchemaRows,
    private readonly sites: SitesRepository,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** The library of the site, if it is its own; else a new one that the site has from then on. */
  requireMirror({ site_id }: Site, { cms_provider: provider, cms_space }: MirroredSpace): Promise<string> {
    return this.db.write(async () => {
      const site = await this.sites.lock(site_id);
      const library = await this.libraries.lock(site.site_library);
      const isShared = await this.libraries.isUsedBeside(library.lib_id, site_id);
      if (library.lib_site === site_id || (!library.lib_standard && library.lib_site === null && !isShared)) {
        Object.assign(library, { lib_provider: provider, lib_site: site_id });
        await this.libraries.save(library);
        return library.lib_id;
      }
      if (await this.rows.hasPages(site_id))
        throw invalidState('The pages of the site use another library. Give the site a copy of that library before you pull schemas.');
      const lib_name = nameOf(provider, cms_space.name);
      const lib_id = this.ids.next();
      const name = (await this.rows.isNamed(lib_name)) ? `${lib_name} ${lib_id.slice(-6)}` : lib_name;
      await this.libraries.insert(
        ContentLibrary.blank({ lib_id, lib_name: name, lib_provider: provider, lib_site: site_id }, this.clock.now()),
      );
      site.site_library = lib_id;
      site.touch(this.clock);
      await this.sites.save(site);
      return lib_id;
    });
  }

  listSchemas(lib_id: string): Promise<ContentSchema[]> {
    return this.db.write(async () => this.schemas.lockMany(await this.rows.listSchemaIds(lib_id)));
  }

  /** What the schema is at the CMS. */
  recordExternal(tpl_id: string, provider: CmsProvider, { external_id, name, version }: RemoteSchema): Promise<void> {
    return this.db.write(async () => {
      const schema = await this.schemas.lock(tpl_id);
      schema.tpl_external = { ...schema.tpl_external, [provider]: { id: external_id, name, version } };
      await this.schemas.save(schema);
    });
  }
}

/** Libraries are listed to all who edit content, so that one is never named after a site, which may be closed to them. */
const nameOf = (provider: CmsProvider, space: string): string => `${space.slice(0, LONGEST_NAME)} (${providerName(provider)})`;
