import { Choice, Flag, Id, Resource, Stamp, TenantRow, Text, type TextForm, Whole } from '@atrium/platform/database';
import { accessDenied, invalidState, notYet, Problem, StateMachine, type Clock } from '@atrium/platform/kernel';

export const PROVIDER_STATUSES = ['unverified', 'ok', 'failing'] as const;
export type ProviderStatus = (typeof PROVIDER_STATUSES)[number];

/** What a verification found: the step that failed, if one did. */
export interface Verified {
  readonly failed: { readonly step: string; readonly detail: string } | null;
}

export const MAX_PROVIDERS = 50;

export const CREDENTIAL_FORM: TextForm = { pattern: /^[\x21-\x7e]+$/, words: 'a text of printable ASCII characters without spaces' };

const states = new StateMachine<ProviderStatus>('storage provider', { unverified: ['ok', 'failing'], ok: ['failing'], failing: ['ok'] });

/** What a customer says of a provider; credentials are written and never read. */
export interface ProviderFacts {
  readonly sto_name?: string;
  readonly sto_kind?: string;
  readonly sto_endpoint?: string | null;
  readonly sto_region?: string | null;
  readonly sto_bucket?: string | null;
  readonly sto_prefix?: string | null;
  readonly sto_path_style?: boolean;
  readonly sto_access_key?: string | null;
  readonly sto_secret?: string;
  readonly sto_sse?: string;
  readonly sto_active?: boolean;
}

/** Where bytes may be stored: the platform's own storage, or a bucket that the workspace brings. Exactly one is the default. */
@Resource({ table: 'storage_provider', sort: 'sto_created' })
export class StorageProvider extends TenantRow {
  @Id({ about: 'Id of the provider; files name it in `file_provider_id`.', filter: undefined }) readonly sto_id!: string;
  @Text({ min: 1, max: 80, about: 'Name, unique in the workspace.', example: 'Archive in Frankfurt', sort: 'sto_name_key' })
  sto_name!: string;
  @Choice(['s3', 'disk'], { about: '`s3`: any S3-compatible service. `disk`: reserved for the platform.' }) sto_kind!: string;
  @Text({
    optional: true,
    min: 1,
    max: 500,
    about: 'Address of the S3 service. Null if the platform manages it.',
    example: 'https://s3.eu-central-1.amazonaws.com',
  })
  sto_endpoint!: string | null;
  @Text({
    optional: true,
    min: 1,
    max: 60,
    form: { pattern: /^[a-z0-9-]+$/, words: 'a name of lowercase letters, digits and hyphens' },
    about: 'Region for signed requests.',
    example: 'eu-central-1',
  })
  sto_region!: string | null;
  @Text({
    optional: true,
    min: 3,
    max: 63,
    form: {
      pattern: /^[a-z0-9][a-z0-9.-]+[a-z0-9]$/,
      words: 'a name of lowercase letters, digits, dots and hyphens that starts and ends with a letter or digit',
    },
    about: 'Name of the bucket.',
    example: 'acme-media',
  })
  sto_bucket!: string | null;
  @Text({
    optional: true,
    max: 200,
    form: { pattern: /^([a-z0-9-]+(\/[a-z0-9-]+)*)?$/, words: 'a path of lowercase letters, digits and hyphens, such as atrium/files' },
    about: 'Prefix of all object keys in the bucket.',
    example: 'atrium',
  })
  sto_prefix!: string | null;
  @Flag({ about: 'Whether URLs contain the bucket in the path instead of the host name.' }) sto_path_style!: boolean;
  @Text({
    optional: true,
    min: 1,
    max: 200,
    form: CREDENTIAL_FORM,
    about: 'Access key. Responses contain only its first and last four characters.',
    example: 'AKIA4EXAMPLE7Q2F',
  })
  sto_access_key!: string | null;
  @Choice(['none', 'AES256', 'aws:kms'], { about: 'Server-side encryption that is requested from the service.' }) sto_sse!: string;
  @Choice(['platform', 'workspace'], { about: 'Whether the workspace or the platform manages the provider.', filter: 'equals' })
  sto_managed_by!: 'platform' | 'workspace';
  @Flag({ about: 'Whether new uploads are stored there.', filter: 'equals' }) sto_default!: boolean;
  @Flag({ about: 'Whether the provider can be used.', filter: 'equals' }) sto_active!: boolean;
  @Choice(PROVIDER_STATUSES, { about: 'Result of the last test.', filter: 'equals' }) sto_status!: ProviderStatus;
  @Stamp({ optional: true, about: 'When the provider was last tested.' }) sto_checked_at!: Date | null;
  @Text({ optional: true, max: 500, about: 'Error of the last test.' }) sto_error!: string | null;
  @Whole({ computed: true, about: 'Size of all stored objects in bytes.', example: 73_400_320 }) readonly sto_bytes!: number;
  @Whole({ computed: true, about: 'Number of stored objects.', example: 412 }) readonly sto_objects!: number;
  @Stamp({ about: 'When it was created.', sort: true }) sto_created!: Date;
  @Stamp({ about: 'When it was last changed.' }) sto_updated!: Date;

  @Text({ internal: true, optional: true, max: 10_000 }) sto_credential!: string | null;

  /** A new one that has nothing but what it must have. */
  static blank(facts: Pick<StorageProvider, 'sto_id'>, now: Date): StorageProvider {
    return Object.assign(new StorageProvider(), {
      sto_kind: 's3',
      sto_region: null,
      sto_prefix: null,
      sto_path_style: true,
      sto_sse: 'none',
      sto_managed_by: 'workspace' as const,
      sto_default: false,
      sto_active: true,
      sto_status: 'unverified' as const,
      sto_checked_at: null,
      sto_error: null,
      sto_created: now,
      ...facts,
    });
  }

  assertOwn(): void {
    if (this.sto_managed_by === 'platform') throw accessDenied('The platform manages this storage provider. It cannot be changed here.');
  }

  /** What the verification found; answers the state before where it is another now. */
  verified({ failed }: Verified, clock: Clock): ProviderStatus | null {
    const next: ProviderStatus = failed ? 'failing' : 'ok';
    const before = this.sto_status;
    if (before !== next) this.sto_status = states.move(before, next);
    this.sto_error = failed ? `${failed.step}: ${failed.detail}`.slice(0, 500) : null;
    this.sto_checked_at = clock.now();
    return before === next ? null : before;
  }

  /** New uploads go here from now on. */
  becomeDefault(): void {
    if (this.sto_status !== 'ok' || !this.sto_active) throw invalidState('Only an active, verified provider can become the default.');
    this.sto_default = true;
  }

  assertRemovable(): void {
    this.assertOwn();
    if (this.sto_default) throw invalidState('This is the default provider. Make another provider the default first.');
  }
}

/** A key as it may be shown. */
export const maskedKey = (key: string): string => (key.length <= 8 ? `…${key.slice(-2)}` : `${key.slice(0, 4)}…${key.slice(-4)}`);

export const objectsThere = (): Problem =>
  notYet('The provider still stores objects of files. Try again when there are none.', 60, 'in_use');
