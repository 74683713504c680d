import { Choice, Id, Json, Ref, Resource, Stamp, TenantRow, Text } from '@atrium/platform/database';
import type { Clock, JsonObject, JsonValue } from '@atrium/platform/kernel';
import type { PageDocument } from '../../content/domain/page-document';
import { VERDICTS, type Verdict } from './verdict';

/** Fields of a page that differ, by the name of the unit: `name`, `slug@de`, `<uid>.<key>`. */
export interface ChangedFields {
  readonly local: readonly string[];
  readonly remote: readonly string[];
  readonly conflicts: readonly string[];
}

export interface LinkError {
  readonly code: string;
  readonly message: string;
  readonly at: string;
}

/** What a comparison found. */
export interface Comparison {
  readonly verdict: Verdict;
  readonly local: string | null;
  readonly localStamp: string | null;
  readonly remote: string | null;
  readonly fields: ChangedFields | null;
}

/** A page here and its page at the CMS. The base is what both had when they were last equal, or when one was preferred. */
@Resource({ table: 'cms_link', sort: '-lnk_created' })
export class CmsLink extends TenantRow {
  @Id({ internal: true }) readonly lnk_id!: string;
  @Ref({ internal: true }) readonly lnk_site!: string;
  @Ref({ optional: true, about: 'Id of the page here; null if it exists only in the CMS.' }) lnk_node!: string | null;
  @Text({
    optional: true,
    about: 'Identity of the page in the CMS; null if it exists only here.',
    example: 'e2a1c7d0-5f0b-4a44-8f8a-6a8b6b1f2d11',
  })
  lnk_external_id!: string | null;
  @Text({ optional: true, about: 'Path of the page in the CMS.', example: 'products/lamp' }) lnk_external_path!: string | null;
  @Text({ optional: true, about: 'Version of the page in the CMS when it was last compared.', example: '7' }) lnk_external_version!:
    string | null;
  @Text({ about: 'Name of the page.', example: 'Desk lamps' }) lnk_name!: string;
  @Choice(VERDICTS, {
    filter: 'equals',
    about:
      'Result of the last comparison: `local_changed` and `remote_changed` if one side changed, `conflict` if both did, `both_same` if both have the same new content.',
    example: 'in_sync',
  })
  lnk_verdict!: Verdict;
  @Json({ isOfAnyType: true }) lnk_fields!: ChangedFields | JsonObject;
  @Stamp({ optional: true, about: 'When the page was last compared.' }) lnk_compared!: Date | null;
  @Stamp({ optional: true, about: 'When the page was last pulled.' }) lnk_pulled!: Date | null;
  @Stamp({ optional: true, about: 'When the page was last pushed.' }) lnk_pushed!: Date | null;
  @Json({ optional: true, isOfAnyType: true }) lnk_error!: LinkError | null;
  @Json({ internal: true, optional: true, isOfAnyType: true }) lnk_base!: PageDocument | null;
  @Text({ internal: true, optional: true }) lnk_base_hash!: string | null;
  @Text({ internal: true, optional: true }) lnk_local_hash!: string | null;
  @Text({ internal: true, optional: true }) lnk_local_stamp!: string | null;
  @Text({ internal: true, optional: true }) lnk_remote_hash!: string | null;
  @Text({ internal: true, optional: true }) lnk_intended_hash!: string | null;
  @Json({ internal: true }) lnk_pending!: Readonly<Record<string, JsonValue>>;
  @Stamp({ internal: true, sort: true }) readonly lnk_created!: Date;

  /** A new one that has nothing but what it must have. */
  static blank(
    facts: Partial<CmsLink> & Pick<CmsLink, 'tenant_id' | 'lnk_id' | 'lnk_site' | 'lnk_node' | 'lnk_external_id'>,
    now: Date,
  ): CmsLink {
    return Object.assign(new CmsLink(), {
      lnk_external_path: null,
      lnk_external_version: null,
      lnk_name: '',
      lnk_verdict: 'unknown' as const,
      lnk_fields: {},
      lnk_compared: null,
      lnk_pulled: null,
      lnk_pushed: null,
      lnk_error: null,
      lnk_base: null,
      lnk_base_hash: null,
      lnk_local_hash: null,
      lnk_local_stamp: null,
      lnk_remote_hash: null,
      lnk_intended_hash: null,
      lnk_pending: {},
      lnk_created: now,
      ...facts,
    });
  }

  compared({ verdict, local, localStamp, remote, fields }: Comparison, clock: Clock): void {
    this.lnk_verdict = verdict;
    this.lnk_local_hash = local;
    this.lnk_local_stamp = localStamp;
    this.lnk_remote_hash = remote;
    this.lnk_fields = fields ?? {};
    this.lnk_compared = clock.now();
    this.lnk_error = null;
  }

  /** Both sides have the same content from now on. */
  agree({ document, hash }: { readonly document: PageDocument; readonly hash: string }, clock: Clock): void {
    this.rebase({ document, hash });
    this.lnk_local_hash = hash;
    this.lnk_remote_hash = hash;
    this.lnk_intended_hash = null;
    this.lnk_verdict = 'in_sync';
    this.lnk_fields = {};
    this.lnk_error = null;
    this.lnk_compared = clock.now();
  }

  /** What the CMS has made of what it was sent; where it has no place for all of it, that is a change of its own. */
  recordStored(hash: string): void {
    this.lnk_remote_hash = hash;
    if (hash !== this.lnk_base_hash) this.lnk_verdict = 'remote_changed';
  }

  /** Later comparisons start from this version; what differs from it counts as changed since. */
  rebase({ document, hash }: { readonly document: PageDocument; readonly hash: string }): void {
    this.lnk_base = document;
    this.lnk_base_hash = hash;
  }

  /** Something is about to be sent: if the worker is lost, the next one knows it when it finds it. */
  intend(hash: string): void {
    this.lnk_intended_hash = hash;
  }

  fail({ code, message }: Pick<LinkError, 'code' | 'message'>, clock: Clock): void {
    this.lnk_verdict = code === 'unsupported_field' ? 'unsupported' : 'error';
    this.lnk_error = { code, message: message.slice(0, 1_000), at: clock.now().toISOString() };
  }
}
