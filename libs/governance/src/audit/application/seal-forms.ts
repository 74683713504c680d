import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { StoredEvent } from '../domain/audit-event';
import type { RedactionStatement, SealStatement, StoredSeal } from '../domain/audit-seal';

/** SHA-256 over events in the order of their ids, each in canonical JSON without its seal and ended by a line feed. */
export function rootOf(events: readonly StoredEvent[]): string {
  const hash = createHash('sha256');
  for (const { aud_seal: _, ...event } of events) hash.update(`${canonicalize(event) ?? ''}\n`);
  return hash.digest('hex');
}

/** The text that a seal's signature covers. */
export function statementOf({
  tenant_id,
  seal_id,
  seal_seq,
  seal_from,
  seal_to,
  seal_count,
  seal_root,
  seal_prev,
  seal_created,
}: StoredSeal | SealStatement): string {
  return canonicalize({ tenant_id, seal_id, seal_seq, seal_from, seal_to, seal_count, seal_root, seal_prev, seal_created }) ?? '';
}

/** The text that the signature over a redaction covers. */
export const redactionOf = ({ tenant_id, seal_id, seal_root, seal_redacted, seal_redacted_root }: RedactionStatement): string =>
  canonicalize({ tenant_id, seal_id, seal_root, seal_redacted, seal_redacted_root }) ?? '';
