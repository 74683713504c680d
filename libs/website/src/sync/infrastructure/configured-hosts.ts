import { Injectable } from '@nestjs/common';
import { Settings } from '@atrium/platform/config';
import { CmsHosts } from './cms-hosts';

/** The CMS products where the operator says they are, such as behind a proxy; else at their public addresses. */
@Injectable()
export class ConfiguredHosts extends CmsHosts {
  constructor(private readonly settings: Settings) {
    super();
  }

  override getStoryblok(region: string): string {
    return withoutVersion(this.settings.STORYBLOK_BASE) || super.getStoryblok(region);
  }

  override getContentful(region: string): { readonly api: string; readonly uploads: string } {
    const { api, uploads } = super.getContentful(region);
    return { api: this.settings.CONTENTFUL_BASE || api, uploads: this.settings.CONTENTFUL_UPLOAD_BASE || uploads };
  }
}

/** The setting names the version as well; requests add it. */
const withoutVersion = (base: string): string => base.replace(/\/v1$/, '');
