export { ContentfulServer, type ContentfulLocale, type ContentfulWebhook } from './contentful-server';
export type { ContentfulRow, ContentType, ContentTypeField, LocalizedFields } from './contentful-store';
export { GARBAGE, type CmsFault, type Delivery } from './loopback-cms';
export { StoryblokServer, type StoryblokComponent } from './storyblok-server';
export type { Story, StoryWish } from './storyblok-store';
