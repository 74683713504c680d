import { isDeepStrictEqual } from 'node:util';
import { Choice, Flag, Id, IdList, Json, Ref, Resource, Stamp, TenantRow, Text, TextList, Whole } from '@atrium/platform/database';
import { invalidState, StateMachine, type Clock, type JsonObject } from '@atrium/platform/kernel';
import type { AddressState } from '../../control/domain/evaluator';
import {
  auditedRules,
  DISTRIBUTIONS,
  draftOf,
  type Distribution,
  type ReleaseOrder,
  type ReleaseRules,
} from '../../control/domain/release-rules';

export const PUBLICATION_STATES = ['draft', 'scheduled', 'published', 'revoked'] as const;
export type PublicationState = (typeof PUBLICATION_STATES)[number];

export const COPY_STATES = ['none', 'pending', 'copying', 'ready', 'failed'] as const;
export type CopyState = (typeof COPY_STATES)[number];

export const REVOKE_REASONS = ['user', 'expired', 'trashed', 'status', 'consent', 'rights', 'hold'] as const;
export type RevokeReason = (typeof REVOKE_REASONS)[number];

/** How long edges have before a policy is sent again. */
const EDGES_MS = 60_000;

const states = new StateMachine<PublicationState>('publication', {
  draft: ['draft', 'scheduled', 'published'],
  scheduled: ['scheduled', 'published', 'draft', 'revoked'],
  published: ['published', 'scheduled', 'revoked'],
  revoked: ['published', 'scheduled'],
});

/** The bytes of a file as they are released. */
export interface ReleasedBytes {
  readonly version: number;
  readonly hash: string;
}

/** A copy that was made and compared. */
export interface MadeCopy {
  readonly object: string;
  readonly hash: string;
  readonly size: number;
  readonly type: string;
}

/** Where a publication is found, fixed when it is minted. */
export interface Address {
  readonly pub_key: string;
  readonly pub_hostname: string;
  readonly pub_name: string;
  readonly pub_url: string;
}

/** A file as a publication knows it. */
interface KnownFile {
  readonly file_id: string;
  readonly file_name: string;
  readonly file_version: number;
  readonly repo_type: string;
}

/**
 * One file's public copy at its permanent address. The address is minted once and never given to anything else; what it
 * answers follows the state, the window and the rules alone, so that it is right also when a job is late.
 */
@Resource({ table: 'publication', sort: '-pub_created' })
export class Publication extends TenantRow {
  @Id({ about: 'Id of the publication.' }) readonly pub_id!: string;
  @Ref({ about: 'Published file.', filter: 'equals' }) pub_file!: string;
  @Choice(PUBLICATION_STATES, { about: 'State of the publication.', filter: 'equals' }) pub_state!: PublicationState;
  @Whole({
    about: 'Number of the published version, or of the version that will be published once its first copy is complete.',
    example: 3,
    column: 'integer',
  })
  pub_version!: number;
  @Text({
    optional: true,
    max: 253,
    about: 'Host of the URL. Set on the first release and never changed; null before.',
    example: 'files.example.com',
  })
  pub_hostname!: string | null;
  @Text({
    optional: true,
    max: 140,
    about: 'Last part of the URL. Set on the first release and never changed; null before.',
    example: 'harbour-at-dusk.jpg',
  })
  pub_name!: string | null;
  @Text({
    optional: true,
    max: 600,
    format: 'uri',
    about: 'Permanent public URL. Null in a draft that was never released.',
    example: 'https://files.example.com/p/7Zr3kVbQ9mXw2TnD/harbour-at-dusk.jpg',
  })
  pub_url!: string | null;
  @Whole({ optional: true, about: 'Size of the live copy in bytes. Null if there is none.', example: 2_481_152 }) pub_size!: number | null;
  @Text({ optional: true, about: 'MIME type of the live copy.', example: 'image/jpeg' }) pub_content_type!: string | null;
  @Text({ optional: true, max: 64, about: 'SHA-256 of the live copy in lowercase hexadecimal.' }) pub_hash!: string | null;
  @Stamp({ optional: true, about: 'Start of the publication. Null: from its release on.' }) pub_start!: Date | null;
  @Stamp({ optional: true, about: 'End of the publication (exclusive). Null: no end.', filter: 'range' }) pub_end!: Date | null;
  @Choice(DISTRIBUTIONS, { about: 'Whether the file is available worldwide or restricted by rules.' }) pub_distribution!: Distribution;
  @TextList({ max: 300, about: 'Denied clients.', example: ['FR', 'host:example.com'] }) pub_deny!: string[];
  @IdList({ max: 50, about: 'Restrictions of the catalog that apply.' }) pub_restrictions!: string[];
  @Choice(COPY_STATES, { about: 'Status of the latest copy.', filter: 'equals' }) pub_copy_state!: CopyState;
  @Text({ optional: true, max: 1_000, about: 'Reason the copy failed.' }) pub_error!: string | null;
  @Flag({ generated: true, about: 'Whether the file has a newer version than the live one.', filter: 'equals' })
  readonly pub_stale!: boolean;
  @Text({ about: 'Current name of the file.', example: 'Harbour at dusk.jpg' }) pub_file_name!: string;
  @Text({ optional: true, about: 'Name of the file when it was released.' }) pub_published_name!: string | null;
  @Json({
    optional: true,
    about: 'Saved rules that are not applied yet: distribution, deny, restrictions, start, end. Null if there are none.',
    example: { distribution: 'worldwide' },
  })
  pub_draft!: JsonObject | null;
  @Stamp({ about: 'When it was created.', filter: 'range', sort: true }) pub_created!: Date;
  @Stamp({ about: 'When it last changed.', sort: true }) pub_updated!: Date;
  @Stamp({ optional: true, about: 'When it was first live.' }) pub_published!: Date | null;
  @Stamp({ optional: true, about: 'When it was revoked. Null unless it is revoked.' }) pub_revoked!: Date | null;
  @Choice(REVOKE_REASONS, { optional: true, about: 'Reason for the revocation.' }) pub_revoked_reason!: RevokeReason | null;
  @Whole({ generated: true, about: 'Number of downloads; up to a minute behind.', example: 1_204 })
  readonly pub_hit_count!: number;
  @Stamp({ generated: true, optional: true, about: 'When the file was last downloaded.' }) readonly pub_last_hit!: Date | null;

  @Text({ internal: true, optional: true }) pub_key!: string | null;
  @Text({ internal: true, optional: true }) pub_object!: string | null;
  /** What the run that copies now makes; null while none does. */
  @Text({ internal: true, optional: true }) pub_copy_object!: string | null;
  @Stamp({ internal: true, optional: true }) pub_copied!: Date | null;
  @Whole({ internal: true, optional: true, column: 'integer' }) pub_wanted_version!: number | null;
  @Text({ internal: true, optional: true }) pub_wanted_hash!: string | null;
  @Whole({ internal: true, column: 'integer' }) pub_file_version!: number;
  @Text({ internal: true }) pub_repo_type!: string;
  @Ref({ internal: true, optional: true }) pub_created_by!: string | null;
  @Whole({ internal: true, column: 'integer' }) pub_edge_revision!: number;
  @Stamp({ internal: true, optional: true }) pub_edge_due!: Date | null;

  /** As it begins: a draft under these rules, without an address and never live. */
  static blank(
    { file, rules, ...facts }: Pick<Publication, 'pub_id' | 'pub_created_by'> & { readonly file: KnownFile; readonly rules: ReleaseRules },
    now: Date,
  ): Publication {
    return Object.assign(new Publication(), {
      pub_file: file.file_id,
      pub_state: 'draft' as const,
      pub_version: file.file_version,
      pub_hostname: null,
      pub_name: null,
      pub_url: null,
      pub_key: null,
      pub_size: null,
      pub_content_type: null,
      pub_hash: null,
      pub_object: null,
      pub_copy_object: null,
      pub_copied: null,
      ...rules,
      pub_copy_state: 'none' as const,
      pub_error: null,
      pub_wanted_version: null,
      pub_wanted_hash: null,
      pub_file_name: file.file_name,
      pub_file_version: file.file_version,
      pub_repo_type: file.repo_type,
      pub_published_name: null,
      pub_draft: null,
      pub_created: now,
      pub_updated: now,
      pub_published: null,
      pub_revoked: null,
      pub_revoked_reason: null,
      pub_edge_revision: 0,
      pub_edge_due: null,
      ...facts,
    });
  }

  /** Whether its address answers, or will without another call. */
  get isLive(): boolean {
    return this.pub_state === 'published' || this.pub_state === 'scheduled';
  }

  /** Its public state. */
  get standing(): AddressState {
    return {
      state: this.pub_state,
      start: this.pub_start,
      end: this.pub_end,
      everLive: this.pub_published !== null,
      ready: this.pub_object !== null,
      closed: null,
    };
  }

  get rules(): ReleaseRules {
    const { pub_distribution, pub_deny, pub_restrictions, pub_start, pub_end } = this;
    return { pub_distribution, pub_deny, pub_restrictions, pub_start, pub_end };
  }

  /** Rules are kept without being applied: as the draft itself, or beside what is released or revoked. */
  keepDraft(order: ReleaseOrder, rules: ReleaseRules, clock: Clock): void {
    if (this.pub_state === 'draft') Object.assign(this, rules);
    else this.pub_draft = draftOf(order);
    this.pub_updated = clock.now();
  }

  dropDraft(clock: Clock): void {
    this.pub_draft = null;
    this.pub_updated = clock.now();
  }

  /** Released under these rules, at once or when its start comes; the bytes are copied unless they are there or on their way. Answers whether they are to be copied. */
  release(rules: ReleaseRules, bytes: ReleasedBytes, mint: () => Address, clock: Clock): boolean {
    const now = clock.now();
    const wasLive = this.isLive;
    if (this.pub_key === null) Object.assign(this, mint());
    this.pub_state = states.move(this.pub_state, rules.pub_start !== null && rules.pub_start > now ? 'scheduled' : 'published');
    Object.assign(this, rules);
    this.pub_draft = null;
    this.pub_published_name = this.pub_file_name;
    this.pub_revoked = null;
    this.pub_revoked_reason = null;
    if (this.pub_state === 'published') this.pub_published ??= now;
    this.changePolicy(clock);
    return this.want(bytes, wasLive);
  }

  /** Whether it is released like this already, with nothing left to do: releasing it once more would change nothing. */
  isReleasedAs(rules: ReleaseRules, { version, hash }: ReleasedBytes, clock: Clock): boolean {
    const state = rules.pub_start !== null && rules.pub_start > clock.now() ? 'scheduled' : 'published';
    const [known, knownVersion] =
      this.pub_wanted_hash === null ? [this.pub_hash, this.pub_version] : [this.pub_wanted_hash, this.pub_wanted_version];
    const isUnderWay = this.pub_copy_state === 'pending' || this.pub_copy_state === 'copying' || this.pub_copy_state === 'ready';
    return (
      this.pub_state === state &&
      this.pub_draft === null &&
      isUnderWay &&
      known === hash &&
      knownVersion === version &&
      this.pub_published_name === this.pub_file_name &&
      isDeepStrictEqual(auditedRules(this.rules), auditedRules(rules))
    );
  }

  /** Its start has come. */
  begin(clock: Clock): void {
    this.pub_state = states.move(this.pub_state, 'published');
    this.pub_published ??= clock.now();
    this.changePolicy(clock);
  }

  /** Taken from the public; one that was never live becomes a draft again. The copy is to be deleted. */
  withdraw(reason: RevokeReason, clock: Clock): void {
    const now = clock.now();
    // Requests were answered from its start on, whether or not the job had run.
    if (this.pub_state === 'scheduled' && this.pub_start !== null && this.pub_start <= now) this.pub_published ??= this.pub_start;
    const neverLive = this.pub_state === 'scheduled' && this.pub_published === null && reason === 'user';
    this.pub_state = states.move(this.pub_state, neverLive ? 'draft' : 'revoked');
    if (!neverLive) {
      this.pub_revoked = now;
      this.pub_revoked_reason = reason;
    }
    this.pub_object = null;
    this.pub_copy_object = null;
    this.pub_copied = null;
    this.pub_wanted_version = null;
    this.pub_wanted_hash = null;
    this.pub_copy_state = 'none';
    this.pub_error = null;
    this.changePolicy(clock);
  }

  /** A run begins to copy; from now on only what it makes may become live. Answers the hash of the bytes, or null where nothing is to be copied. */
  beginCopy(objectFor: (pub_key: string, hash: string) => string): string | null {
    const { pub_key, pub_wanted_hash } = this;
    if (!this.isLive || pub_wanted_hash === null || pub_key === null || this.pub_copy_state === 'failed') return null;
    this.pub_copy_state = 'copying';
    this.pub_copy_object = objectFor(pub_key, pub_wanted_hash);
    return pub_wanted_hash;
  }

  /** Whether this copy is the one that is to become live. */
  isCopiedBy({ object, hash }: Pick<MadeCopy, 'object' | 'hash'>): boolean {
    return this.isLive && this.pub_wanted_hash === hash && this.pub_copy_object === object;
  }

  /** The copy waits for a part outside. */
  awaitCopy(reason: string, clock: Clock): void {
    this.pub_error = reason.slice(0, 1_000);
    this.pub_updated = clock.now();
  }

  /** Another try, on purpose. */
  retryCopy(clock: Clock): void {
    if (this.pub_copy_state !== 'failed') throw invalidState(`The copy is ${this.pub_copy_state}. Only a failed copy can be retried.`);
    this.pub_copy_state = 'pending';
    this.pub_error = null;
    this.pub_updated = clock.now();
  }

  /** The copy is live from now on; answers what was live before. */
  switchTo({ object, hash, size, type }: MadeCopy, clock: Clock): void {
    if (this.pub_wanted_version !== null) this.pub_version = this.pub_wanted_version;
    this.pub_object = object;
    this.pub_copy_object = null;
    this.pub_hash = hash;
    this.pub_size = size;
    this.pub_content_type = type;
    this.pub_copied = clock.now();
    this.pub_copy_state = 'ready';
    this.pub_error = null;
    this.pub_wanted_version = null;
    this.pub_wanted_hash = null;
    this.changePolicy(clock);
  }

  failCopy(reason: string, clock: Clock): void {
    this.pub_copy_state = 'failed';
    this.pub_error = reason.slice(0, 1_000);
    this.pub_updated = clock.now();
  }

  private want({ version, hash }: ReleasedBytes, wasLive: boolean): boolean {
    if (wasLive && this.pub_object !== null && this.pub_hash === hash) {
      // What is there already needs no copy, whichever version it was.
      this.pub_version = version;
      this.pub_wanted_version = null;
      this.pub_wanted_hash = null;
      this.pub_copy_state = 'ready';
      this.pub_error = null;
      return false;
    }
    if (this.pub_object === null) this.pub_version = version;
    const underWay = this.pub_wanted_hash === hash && (this.pub_copy_state === 'pending' || this.pub_copy_state === 'copying');
    this.pub_wanted_version = version;
    this.pub_wanted_hash = hash;
    if (underWay) return false;
    this.pub_copy_state = 'pending';
    this.pub_error = null;
    return true;
  }

  private changePolicy(clock: Clock): void {
    this.pub_edge_revision += 1;
    this.pub_edge_due = clock.after(EDGES_MS);
    this.pub_updated = clock.now();
  }
}

/** Under which name the bytes of a publication are kept. */
export const ownerOf = ({ pub_id }: Pick<Publication, 'pub_id'>): string => `publication:${pub_id}`;
