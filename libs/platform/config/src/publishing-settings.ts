import { str } from 'envalid';
import { apiBase, monthVersion, redirectAddresses, wholeNumber } from './setting-forms';

/** Settings of the CMS products and social platforms that content is published to. */
export const PUBLISHING_SETTINGS = {
  STORYBLOK_BASE: apiBase({
    default: '',
    desc: 'Address of the Storyblok Management API, with its version. Empty: the public address of the region of each connection. An address in a private network must be listed in OUTBOUND_ALLOW.',
    example: 'https://mapi.storyblok.com/v1',
  }),
  CONTENTFUL_BASE: apiBase({
    default: '',
    desc: 'Address of the Contentful Content Management API. Empty: the public address of the region of each connection. An address in a private network must be listed in OUTBOUND_ALLOW.',
    example: 'https://api.contentful.com',
  }),
  CONTENTFUL_UPLOAD_BASE: apiBase({
    default: '',
    desc: 'Address of the Contentful Upload API. Empty: the public address of the region of each connection. An address in a private network must be listed in OUTBOUND_ALLOW.',
    example: 'https://upload.contentful.com',
  }),
  CMS_SYNC_INLINE_MAX: wholeNumber({ min: 0, max: 1_000 })({
    default: 10,
    desc: 'Number of pages that a sync with a CMS may move while its request waits. With more pages, the request returns 202.',
  }),
  CMS_STALL_SECONDS: wholeNumber({ min: 2, max: 3_600 })({
    default: 60,
    desc: 'How long a sync with a CMS may report no progress before it is shown as stalled, in seconds (2 or more).',
  }),
  LINKEDIN_CLIENT_ID: str({ default: '', desc: 'Client id of a LinkedIn application. Empty: no LinkedIn accounts can be connected.' }),
  LINKEDIN_CLIENT_SECRET: str({ default: '', desc: 'Client secret of the LinkedIn application.' }),
  LINKEDIN_AUTH_BASE: apiBase({
    default: 'https://www.linkedin.com/oauth/v2',
    desc: 'Address of the LinkedIn authorization server. An address in a private network must be listed in OUTBOUND_ALLOW.',
  }),
  LINKEDIN_API_BASE: apiBase({
    default: 'https://api.linkedin.com',
    desc: 'Address of the LinkedIn API. An address in a private network must be listed in OUTBOUND_ALLOW.',
  }),
  LINKEDIN_API_VERSION: monthVersion({
    default: '202607',
    desc: 'Version of the LinkedIn API, as YYYYMM. When LinkedIn no longer accepts it, the newest active version is used instead.',
  }),
  LINKEDIN_REDIRECT_URIS: redirectAddresses({
    default: '',
    desc: 'Comma-separated addresses that an authorization at LinkedIn may lead back to. Empty: any https address, and http on this machine.',
    example: 'https://app.example.com/social/callback',
  }),
  LINKEDIN_SCOPES: str({
    default: 'openid profile w_member_social',
    desc: 'Scopes that are requested from LinkedIn, separated by spaces. Request only scopes of the products that the application has: one scope without authorization rejects the whole request.',
  }),
  SOCIAL_LATE_MINUTES: wholeNumber({ min: 1, max: 10_080 })({
    default: 60,
    desc: 'How late a scheduled social post may still be sent, in minutes. A post that is later fails and can be sent again by a person.',
  }),
} as const;
