import { Injectable } from '@nestjs/common';
import { Settings } from '@atrium/platform/config';

const STORYBLOK: Readonly<Record<string, string>> = {
  eu: 'https://mapi.storyblok.com',
  us: 'https://api-us.storyblok.com',
  ca: 'https://api-ca.storyblok.com',
  ap: 'https://api-ap.storyblok.com',
  cn: 'https://app.storyblokchina.cn',
};
const CONTENTFUL: Readonly<Record<string, { readonly api: string; readonly uploads: string }>> = {
  us: { api: 'https://api.contentful.com', uploads: 'https://upload.contentful.com' },
  eu: { api: 'https://api.eu.contentful.com', uploads: 'https://upload.eu.contentful.com' },
};

/** Where the CMS products are: where the operator says, such as behind a proxy, else at the public addresses of their regions. */
@Injectable()
export class CmsHosts {
  constructor(private readonly settings: Settings) {}

  /** The setting names the version as well; requests add it. */
  getStoryblok(region: string): string {
    const base = this.settings.STORYBLOK_BASE.replace(/\/v1$/, '');
    return base || (STORYBLOK[region] ?? 'https://mapi.storyblok.com');
  }

  getContentful(region: string): { readonly api: string; readonly uploads: string } {
    const { api, uploads } = CONTENTFUL[region] ?? { api: 'https://api.contentful.com', uploads: 'https://upload.contentful.com' };
    return { api: this.settings.CONTENTFUL_BASE || api, uploads: this.settings.CONTENTFUL_UPLOAD_BASE || uploads };
  }
}
