import { Id, Ref, Resource, Stamp, TenantRow, Text, Whole } from '@atrium/platform/database';
import { createHash, randomBytes } from 'node:crypto';
import { invalidField, DAY, MINUTE, type Clock } from '@atrium/platform/kernel';

/** Preview links of a site that have not expired. */
export const MOST_PREVIEW_LINKS = 1_000;
export const LONGEST_PREVIEW_SECONDS = (30 * DAY) / 1000;
const SHORTEST_PREVIEW_SECONDS = MINUTE / 1000;
const USUAL_PREVIEW_SECONDS = DAY / 1000;

/** Shows drafts to everyone who has it, without an account: of one page, or of the whole site. Only the hash of its token is stored. */
@Resource({ table: 'preview_link', sort: '-prv_created' })
export class PreviewLink extends TenantRow {
  @Id({ about: 'Id of the preview link.' }) readonly prv_id!: string;
  @Ref({ about: 'Id of the site.' }) readonly prv_site!: string;
  @Ref({ optional: true, about: 'Id of the page it shows; null for the whole site.', filter: 'equals' }) readonly prv_node!: string | null;
  @Text({ optional: true, max: 35, about: 'Locale it shows; null for all.', example: 'de' }) readonly prv_locale!: string | null;
  @Whole({ optional: true, min: 1, about: 'Number of the version it shows; null for the draft.', example: 12 }) readonly prv_version!:
    number | null;
  @Stamp({ about: 'When it expires.' }) readonly prv_expires!: Date;
  @Whole({ generated: true, about: 'How often it was used.', example: 3 }) readonly prv_uses!: number;
  @Stamp({ sort: true, about: 'When it was created.' }) readonly prv_created!: Date;
  @Ref({ optional: true, about: 'Id of the member who created it.', filter: 'equals' }) readonly prv_created_by!: string | null;
  @Text({ internal: true }) readonly prv_token_hash!: string;

  static blank(
    facts: Pick<
      PreviewLink,
      'prv_id' | 'prv_site' | 'prv_node' | 'prv_locale' | 'prv_version' | 'prv_expires' | 'prv_token_hash' | 'prv_created_by'
    >,
    now: Date,
  ): PreviewLink {
    return Object.assign(new PreviewLink(), { ...facts, prv_uses: 0, prv_created: now });
  }
}

/** A new token: 256 random bits. */
export const mintPreviewToken = (): string => randomBytes(32).toString('base64url');
export const hashPreviewToken = (token: string): string => createHash('sha256').update(token).digest('hex');
export const isPreviewToken = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);

export function previewEnd(seconds: number | undefined, clock: Clock): Date {
  const length = seconds ?? USUAL_PREVIEW_SECONDS;
  if (length < SHORTEST_PREVIEW_SECONDS || length > LONGEST_PREVIEW_SECONDS)
    throw invalidField('expires_in', 'must be between 60 seconds and 30 days', 'range');
  return clock.after(length * 1000);
}

/** The address of a preview in the front end of the site, or of its content where there is none. */
export function previewAddress(
  template: string | null,
  api: string,
  { path, token, locale, site_key }: { readonly path: string; readonly token: string; readonly locale: string; readonly site_key: string },
): string {
  if (template !== null)
    return template.replaceAll('{path}', encodeURI(path)).replaceAll('{token}', token).replaceAll('{locale}', encodeURIComponent(locale));
  const query = new URLSearchParams({ path, locale, version: 'draft', token });
  return `${api}/delivery/${site_key}/page?${query.toString()}`;
}
