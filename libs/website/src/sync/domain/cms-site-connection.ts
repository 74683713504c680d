import { Choice, Flag, Id, Json, Ref, Resource, Stamp, TenantRow, Text, TextList } from '@atrium/platform/database';
import { StateMachine, type Clock, type JsonObject } from '@atrium/platform/kernel';
import { CMS_PROVIDERS, type CmsCapabilities, type CmsProvider, type RemoteLocale, type RemoteSpace } from './cms-port';
import type { Verdicts } from './verdict';

export const CONNECTION_STATUSES = ['ok', 'failing', 'revoked'] as const;
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number];
export const AUTO_PULLS = ['off', 'unedited', 'all'] as const;
export type AutoPull = (typeof AUTO_PULLS)[number];
export const NOTIFICATIONS = ['off', 'changes'] as const;
export type Notification = (typeof NOTIFICATIONS)[number];

const LONGEST_ERROR = 1_000;
const STATES = new StateMachine<ConnectionStatus>('connection', {
  ok: ['ok', 'failing', 'revoked'],
  failing: ['ok', 'failing', 'revoked'],
  revoked: ['ok', 'revoked'],
});

/** What happens without anyone asking; none of it ever writes to the CMS. */
export interface Automation {
  readonly scan: boolean;
  readonly autoPull: AutoPull;
  readonly notify: Notification;
}

/** A site's connection to its CMS. The secrets are sealed; one whose credentials were refused works again once it is connected again. */
@Resource({ table: 'cms_connection', sort: '-cms_created' })
export class CmsSiteConnection extends TenantRow {
  @Id() readonly cms_site!: string;
  @Choice(CMS_PROVIDERS) cms_provider!: CmsProvider;
  @Json() cms_settings!: JsonObject;
  @Text({ internal: true }) cms_secrets!: string;
  @Choice(CONNECTION_STATUSES) cms_status!: ConnectionStatus;
  @Stamp() cms_verified_at!: Date;
  @Text({ optional: true }) cms_last_error!: string | null;
  @Json({ isOfAnyType: true }) cms_space!: { readonly id: string; readonly name: string };
  @Json({ isOfAnyType: true }) cms_locales!: readonly RemoteLocale[];
  @Json({ isOfAnyType: true }) cms_capabilities!: CmsCapabilities;
  @Flag() cms_scan!: boolean;
  @Choice(AUTO_PULLS) cms_auto_pull!: AutoPull;
  @Choice(NOTIFICATIONS) cms_notify!: Notification;
  @Text({ optional: true, internal: true }) cms_hook_key!: string | null;
  @Text({ optional: true, internal: true }) cms_hook_external!: string | null;
  @Flag() cms_hook_signed!: boolean;
  @TextList() cms_hook_actions!: string[];
  @Stamp({ optional: true }) cms_hook_created!: Date | null;
  @Flag() cms_hook_verified!: boolean;
  @Stamp({ optional: true }) cms_hook_event!: Date | null;
  @Json({ isOfAnyType: true }) cms_verdicts!: Verdicts;
  @Stamp({ optional: true }) cms_compared!: Date | null;
  @Stamp({ optional: true }) cms_last_scan!: Date | null;
  @Stamp({ optional: true }) cms_next_scan!: Date | null;
  @Stamp() readonly cms_created!: Date;
  @Stamp() cms_updated!: Date;
  @Ref({ optional: true }) readonly cms_created_by!: string | null;

  /** A new one that has nothing but what it must have. */
  static blank(facts: Pick<CmsSiteConnection, 'tenant_id' | 'cms_site' | 'cms_provider' | 'cms_created_by'>, now: Date): CmsSiteConnection {
    return Object.assign(new CmsSiteConnection(), {
      cms_status: 'ok' as const,
      cms_verified_at: now,
      cms_last_error: null,
      cms_scan: false,
      cms_auto_pull: 'off' as const,
      cms_notify: 'off' as const,
      cms_hook_key: null,
      cms_hook_external: null,
      cms_hook_signed: false,
      cms_hook_actions: [],
      cms_hook_created: null,
      cms_hook_verified: false,
      cms_hook_event: null,
      cms_verdicts: {},
      cms_compared: null,
      cms_last_scan: null,
      cms_next_scan: null,
      cms_created: now,
      cms_updated: now,
      ...facts,
    });
  }

  /** The CMS has answered with these credentials: whatever was wrong with the ones before is over. */
  verified(space: RemoteSpace, { settings, secrets }: { readonly settings: JsonObject; readonly secrets: string }, clock: Clock): void {
    this.cms_settings = settings;
    this.cms_secrets = secrets;
    this.cms_space = { id: space.id, name: space.name };
    this.cms_locales = space.locales;
    this.cms_capabilities = space.capabilities;
    this.cms_verified_at = clock.now();
    this.cms_updated = clock.now();
    this.cms_last_error = null;
    this.cms_status = STATES.move(this.cms_status, 'ok');
  }

  /** The CMS refuses the credentials; whether that is new. */
  revoke(reason: string, clock: Clock): boolean {
    const isNew = this.cms_status !== 'revoked';
    this.cms_status = STATES.move(this.cms_status, 'revoked');
    this.recordError(reason, clock);
    return isNew;
  }

  /** The CMS did not do what a run asked of it; of a revoked connection nothing else is expected. */
  fail(reason: string, clock: Clock): void {
    if (this.cms_status === 'revoked') return;
    this.cms_status = STATES.move(this.cms_status, 'failing');
    this.recordError(reason, clock);
  }

  /** A run has got to its end. */
  recover(): void {
    if (this.cms_status !== 'failing') return;
    this.cms_status = STATES.move(this.cms_status, 'ok');
    this.cms_last_error = null;
  }

  automate({ scan, autoPull, notify }: Partial<Automation>, clock: Clock): void {
    this.cms_scan = scan ?? this.cms_scan;
    this.cms_auto_pull = autoPull ?? this.cms_auto_pull;
    this.cms_notify = notify ?? this.cms_notify;
    this.cms_updated = clock.now();
  }

  /** Whether something is compared at night. */
  get isScanned(): boolean {
    return this.cms_scan;
  }

  recordComparison(verdicts: Verdicts, clock: Clock): void {
    this.cms_verdicts = verdicts;
    this.cms_compared = clock.now();
  }

  private recordError(reason: string, clock: Clock): void {
    this.cms_last_error = reason.slice(0, LONGEST_ERROR);
    this.cms_updated = clock.now();
  }
}
