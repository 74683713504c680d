import { pick } from '@atrium/platform/kernel';
import { defineAuditTypes, type AuditTarget } from '@atrium/platform/access';
import type { ShareLink } from '../domain/share-link';

export const SHARE_AUDIT = defineAuditTypes({
  'share_link.created': 'A share link was created.',
  'share_link.updated': 'A share link was changed.',
  'share_link.rotated': 'A share link was given a new token; the old one no longer works.',
  'share_link.revoked': 'A share link was permanently revoked.',
  'share_link.reviewed': 'Files uploaded through a share link were accepted or rejected.',
});

export const targetOf = ({ share_id, share_name }: ShareLink): AuditTarget => ({ type: 'share_link', id: share_id, name: share_name });

const AUDITED = [
  'share_name',
  'share_type',
  'share_active',
  'share_expires_at',
  'share_file_ids',
  'share_album_id',
  'share_album_ids',
  'share_pre_tags',
  'share_allow_change_tags',
  'share_allow_change_albums',
  'share_max_files',
  'share_max_size',
  'share_options',
  'share_password_set',
] as const;

/** What an audit entry records of a link, without its secrets. */
export const auditedLink = (link: ShareLink): object => ({
  ...pick(link, AUDITED),
  share_password_set: link.share_password_hash !== null,
});
