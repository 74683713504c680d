/**
 * The mails on what is published to sites, CMS products and social platforms. Lists are names with commas between them, the first ten
 * at most; an empty list leaves its sentence out.
 */
export interface PublishingMailVars {
  /** A schedule failed. `what`: published or unpublished; `when`: the time it was planned for. */
  readonly page_publish_failed: {
    readonly ws_name: string;
    readonly site_name: string;
    readonly pages: string;
    readonly what: 'published' | 'unpublished';
    readonly when: string;
    readonly reason: string;
    readonly link: string;
  };
  /** Counts by verdict; `pulled` counts the pages that were taken over automatically and is empty where there are none. */
  readonly cms_changes: {
    readonly ws_name: string;
    readonly site_name: string;
    readonly provider: string;
    readonly changed: string;
    readonly added: string;
    readonly deleted: string;
    readonly conflicts: string;
    readonly pulled: string;
    readonly pages: string;
    readonly link: string;
  };
  readonly cms_revoked: { readonly ws_name: string; readonly site_name: string; readonly provider: string; readonly link: string };
  /** `posts`: those that are scheduled for a time after `expires`. */
  readonly social_connection_expiring: {
    readonly ws_name: string;
    readonly platform: string;
    readonly account: string;
    readonly expires: string;
    readonly days: string;
    readonly posts: string;
    readonly link: string;
  };
  readonly social_connection_revoked: {
    readonly ws_name: string;
    readonly platform: string;
    readonly account: string;
    readonly posts: string;
    readonly link: string;
  };
  /** `targets`: the pages and profiles to which it was not sent. */
  readonly social_post_failed: {
    readonly ws_name: string;
    readonly post: string;
    readonly targets: string;
    readonly reason: string;
    readonly link: string;
  };
  readonly social_post_removed: {
    readonly ws_name: string;
    readonly platform: string;
    readonly post: string;
    readonly target: string;
    readonly link: string;
  };
}

export const PUBLISHING_MAILS = [
  'page_publish_failed',
  'cms_changes',
  'cms_revoked',
  'social_connection_expiring',
  'social_connection_revoked',
  'social_post_failed',
  'social_post_removed',
] as const satisfies readonly (keyof PublishingMailVars)[];
