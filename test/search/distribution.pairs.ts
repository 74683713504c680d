import { newId } from '@atrium/platform/kernel';
import { albumWith } from './albums.pairs';
import type { ArrangedPair, SearchPair, SearchWorld } from './search-world';

type State = 'draft' | 'scheduled' | 'published' | 'revoked';

/** A publication of the file in that state; none where none is named. */
async function released({ api, tenant_id }: SearchWorld, file: string, repo: 'media' | 'docs', state: State | 'none'): Promise<void> {
  if (state === 'none') return;
  await api.sql(
    `INSERT INTO publication (tenant_id, pub_id, pub_file, pub_state, pub_version, pub_key, pub_hostname, pub_name, pub_url, pub_distribution, pub_file_name, pub_file_version, pub_repo_type, pub_revoked_reason)
     VALUES ($1, $2, $3, $4, 1, $5, 'files.example.com', 'picture.jpg', 'https://files.example.com/p/' || $5 || '/picture.jpg', 'worldwide', 'picture.jpg', 1, $6, $7)`,
    [
      tenant_id,
      newId(),
      file,
      state,
      newId().replaceAll('-', '').replaceAll('0', 'z').slice(-16),
      repo,
      state === 'revoked' ? 'user' : null,
    ],
  );
}

const pubState = (
  op: string,
  value: string | readonly string[],
  found: State | 'none',
  passed: State | 'none',
  scope: 'media' | 'docs' = 'media',
): SearchPair => ({
  field: 'pub_state',
  op,
  scope,
  arrange: async (world) => {
    const [hit = '', miss = ''] = await world.files([{}, {}], scope);
    await released(world, hit, scope, found);
    await released(world, miss, scope, passed);
    return { value: typeof value === 'string' ? value : [...value], hit, miss };
  },
});

export interface Shown {
  readonly files?: readonly string[];
  readonly album?: string;
}

/** A link, of the owner unless said otherwise: to chosen files, to an album, or, without both, for uploads. */
export async function linkTo(world: SearchWorld, { files, album }: Shown, maker = world.workspace.owner.user_id): Promise<string> {
  const id = newId();
  const type = files ? 'files' : album ? 'album' : 'upload';
  await world.api.sql(
    `INSERT INTO share_link (tenant_id, share_id, share_name, share_type, share_file_ids, share_album_id, share_created_by, share_token_hash, share_token_enc) VALUES ($1, $2, 'Harbour', $3, $4, $5, $6, $7, '')`,
    [world.tenant_id, id, type, files ?? [], album ?? null, maker, id],
  );
  return id;
}

/** A file that a guest sent by the link. */
async function sent({ api, tenant_id, workspace }: SearchWorld, share: string, file: string): Promise<void> {
  const id = newId();
  await api.sql(
    `INSERT INTO upload (tenant_id, upl_id, upl_state, upl_mode, upl_key, file_repo, file_name, file_type, file_size, upl_expires, upl_created_by) VALUES ($1, $2, 'finalized', 'single', $2::uuid::text, '{"library": ["media"]}', 'picture.jpg', 'image/jpeg', 1, now(), $3)`,
    [tenant_id, id, workspace.owner.user_id],
  );
  await api.sql(
    `INSERT INTO share_upload (tenant_id, su_id, su_share, su_visit, su_state, su_file, su_file_name, su_file_size) VALUES ($1, $2, $3, 'visit', 'finalized', $4, 'picture.jpg', 1)`,
    [tenant_id, id, share, file],
  );
}

const shareLink = (op: string, arrange: (world: SearchWorld, hit: string, miss: string) => Promise<ArrangedPair['value']>): SearchPair => ({
  field: 'share_link',
  op,
  arrange: async (world) => {
    const [hit = '', miss = ''] = await world.files([{}, {}]);
    return { value: (await arrange(world, hit, miss)) ?? null, hit, miss };
  },
});

export const PAIRS: readonly SearchPair[] = [
  pubState('eq', 'published', 'published', 'scheduled'),
  pubState('eq', 'none', 'none', 'revoked'),
  pubState('ne', 'published', 'revoked', 'published'),
  pubState('ne', 'published', 'none', 'published'),
  pubState('ne', 'none', 'draft', 'none'),
  pubState('in', ['draft', 'scheduled'], 'draft', 'published'),
  pubState('in', ['none', 'scheduled'], 'none', 'draft'),
  pubState('in', ['none', 'scheduled'], 'scheduled', 'draft', 'docs'),
  shareLink('eq', async (world, hit, miss) => {
    await linkTo(world, { files: [miss] });
    return linkTo(world, { files: [hit] });
  }),
  shareLink('eq', async (world, hit, miss) => {
    await albumWith(world, [miss]);
    return linkTo(world, { album: await albumWith(world, [hit]) });
  }),
  shareLink('eq', async (world, hit, miss) => {
    const share = await linkTo(world, {});
    await sent(world, share, hit);
    await sent(world, await linkTo(world, {}), miss);
    return share;
  }),
  shareLink('in', async (world, hit, miss) => {
    await linkTo(world, { files: [hit, miss] });
    return [await linkTo(world, {}), await linkTo(world, { files: [hit] })];
  }),
];
