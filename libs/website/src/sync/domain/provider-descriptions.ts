import type { JsonObject } from '@atrium/platform/kernel';
import type { CmsCapabilities, CmsProvider } from './cms-port';

/** A CMS product as clients choose it: what its connection needs, as JSON Schema, and what it can do. */
export interface ProviderDescription {
  readonly provider: CmsProvider;
  readonly name: string;
  readonly settings_schema: JsonObject;
  readonly capabilities: Omit<CmsCapabilities, 'carries' | 'publish_by_locale'>;
}

const text = (description: string, more: JsonObject = {}): JsonObject => ({ type: 'string', description, ...more });
const TOKEN = { writeOnly: true, minLength: 1, maxLength: 1_000 };

export const PROVIDERS: readonly ProviderDescription[] = [
  {
    provider: 'storyblok',
    name: 'Storyblok',
    settings_schema: {
      type: 'object',
      additionalProperties: false,
      required: ['spaceId', 'token'],
      properties: {
        spaceId: text('Id of the space.'),
        token: text('Personal access token of the Management API. Omit it to keep the stored one.', TOKEN),
        region: text('Region of the space.', { enum: ['eu', 'us', 'ca', 'ap', 'cn'], default: 'eu' }),
        startsWith: text('Path below which stories are synchronized; all stories when omitted.'),
        homeSlug: text('Slug of the story that is the home page.', { default: 'home' }),
        rate: { type: 'number', description: 'Requests per second that the plan allows.', default: 3, minimum: 1, maximum: 50 },
        languages: { type: 'array', items: { type: 'string' }, description: 'Languages to synchronize; all of the space when omitted.' },
      },
    },
    capabilities: {
      drafts: true,
      locales: true,
      tree: true,
      draft_events: false,
      signed_webhooks: true,
      version_lock: false,
      assets: true,
    },
  },
  {
    provider: 'contentful',
    name: 'Contentful',
    settings_schema: {
      type: 'object',
      additionalProperties: false,
      required: ['spaceId', 'token'],
      properties: {
        spaceId: text('Id of the space.'),
        environment: text('Environment of the space.', { default: 'master' }),
        token: text('Token of the Content Management API. Omit it to keep the stored one.', TOKEN),
        region: text('Region of the space.', { enum: ['us', 'eu'], default: 'us' }),
        contentTypes: {
          type: 'array',
          description: 'Content types that are pages, with the fields for slug, title, parent and blocks; guessed when omitted.',
          items: {
            type: 'object',
            required: ['id'],
            properties: {
              id: text('Id of the content type.'),
              slug: text('Field.'),
              title: text('Field.'),
              parent: text('Field.'),
              blocks: text('Field.'),
            },
          },
        },
        rate: { type: 'number', description: 'Requests per second that the plan allows.', default: 7, minimum: 1, maximum: 50 },
        signingSecret: text('Secret with which the space signs its requests.', { writeOnly: true, pattern: '^[0-9a-zA-Z+/=_-]{64}$' }),
      },
    },
    capabilities: { drafts: true, locales: true, tree: true, draft_events: true, signed_webhooks: true, version_lock: true, assets: true },
  },
];
