import { Injectable } from '@nestjs/common';

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

/** Where the CMS products are, by region; tests name servers of their own. */
@Injectable()
export class CmsHosts {
  getStoryblok(region: string): string {
    return STORYBLOK[region] ?? 'https://mapi.storyblok.com';
  }

  getContentful(region: string): { readonly api: string; readonly uploads: string } {
    return CONTENTFUL[region] ?? { api: 'https://api.contentful.com', uploads: 'https://upload.contentful.com' };
  }
}
