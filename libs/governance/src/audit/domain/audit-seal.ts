import { Id, Resource, Stamp, Text, Whole } from '@atrium/platform/database';

/** A seal over some events of the workspace: chained to the one before it and signed, so that any later change shows. */
@Resource({ table: 'audit_seal', sort: '-seal_seq' })
export class AuditSeal {
  @Id({ about: 'Id of the seal.', filter: undefined }) readonly seal_id!: string;
  @Whole({ about: 'Sequence number in the workspace, without gaps.', example: 42, sort: true }) readonly seal_seq!: number;
  @Stamp({ about: 'Time of its earliest event.' }) readonly seal_from!: Date;
  @Stamp({ about: 'Time of its latest event.' }) readonly seal_to!: Date;
  @Whole({ about: 'Number of events that the seal covers.', example: 3 }) readonly seal_count!: number;
  @Text({
    max: 64,
    about:
      'SHA-256 in hexadecimal over its events in the order of their ids: for each, the canonical JSON (RFC 8785) without `aud_seal`, followed by a line feed.',
  })
  readonly seal_root!: string;
  @Text({ max: 64, optional: true, about: '`seal_root` of the previous seal. Null for the first.' }) readonly seal_prev!: string | null;
  @Text({
    max: 1_000,
    about:
      'Ed25519 signature as a JWS (RFC 7515) with detached payload; its header names the key in `/.well-known/jwks.json`. The payload is the canonical JSON of the fields above and `seal_created`, with `tenant_id`.',
  })
  readonly seal_signature!: string;
  @Stamp({ about: 'When it was created.' }) readonly seal_created!: Date;
  @Stamp({ optional: true, about: 'When retention first removed events of the seal.' }) readonly seal_removed!: Date | null;
  @Stamp({ optional: true, about: 'When an erased person was last removed from events of the seal. Null if none was.' })
  readonly seal_redacted!: Date | null;
  @Text({ max: 64, optional: true, about: 'Root over its events after the last removal. The chain of seals uses `seal_root`.' })
  readonly seal_redacted_root!: string | null;
  @Text({
    max: 1_000,
    optional: true,
    about:
      'Signature like `seal_signature`, over the canonical JSON of `tenant_id`, `seal_id`, `seal_root`, `seal_redacted` and `seal_redacted_root`.',
  })
  readonly seal_redacted_signature!: string | null;
}

/** What a seal says and its signature covers; times are ISO 8601 in UTC with milliseconds. */
export interface SealStatement {
  readonly tenant_id: string;
  readonly seal_id: string;
  readonly seal_seq: number;
  readonly seal_from: string;
  readonly seal_to: string;
  readonly seal_count: number;
  readonly seal_root: string;
  readonly seal_prev: string | null;
  readonly seal_created: string;
}

export interface SignedSeal extends SealStatement {
  readonly seal_signature: string;
}

/** What the signature over a redaction covers. */
export interface RedactionStatement {
  readonly tenant_id: string;
  readonly seal_id: string;
  readonly seal_root: string;
  readonly seal_redacted: string;
  readonly seal_redacted_root: string;
}

export interface StoredSeal extends SignedSeal {
  readonly seal_removed: string | null;
  readonly seal_redacted: string | null;
  readonly seal_redacted_root: string | null;
  readonly seal_redacted_signature: string | null;
}

/** How a trail is not what was sealed, at the first seal where it is not. */
export type Break = {
  readonly seal_seq: number;
  readonly kind: 'changed' | 'missing' | 'inserted' | 'chain' | 'signature';
};

export type Verdict = {
  readonly seals: number;
  readonly events: number;
  readonly valid: boolean;
  readonly first_break?: Break;
};
