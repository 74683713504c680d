export * from './linkedin-server';
export { parseLittleText, type LittleText } from './little-text';
export type { LinkedInAsset, LinkedInOrganization, LinkedInPost, LinkedInRequest, RefusedCall } from './linkedin-state';
