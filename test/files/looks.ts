import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { storeFile } from './stored-files';

export interface SeededLooks {
  readonly workspace: TestWorkspace;
  /** A picture, and others whose looks are a known number of bits away from its own. */
  readonly probe: string;
  readonly near: readonly { readonly file_id: string; readonly distance: number }[];
}

const TRIALS = 40;

/** Random looks in bands, as so many pictures would have them, and among them one picture with neighbors at every distance up to 7. */
export async function seedLooks(api: RunningApi, count: number): Promise<SeededLooks> {
  const workspace = await api.workspace();
  const looks = BigInt(`0x${'9f3ac51e07b26d84'}`);
  const probe = await storePicture(api, workspace, looks);
  const near: { file_id: string; distance: number }[] = [];
  for (let distance = 1; distance <= 7; distance++) {
    const found = await copiesOf(
      api,
      probe,
      Array.from({ length: TRIALS }, (_, trial) => flipped(looks, distance, trial)),
    );
    near.push(...found.map((file_id) => ({ file_id, distance })));
  }
  // The random ones have no files: this database is the test's own.
  await api.sql('ALTER TABLE file_phash_band DROP CONSTRAINT file_phash_band_tenant_id_file_id_fkey');
  await api.sql(
    `INSERT INTO file_phash_band (tenant_id, fpb_band, file_id, fpb_hash)
     SELECT $1, b, h.id, h.hash FROM (SELECT gen_random_uuid() AS id, (('x' || substr(md5(n::text), 1, 16))::bit(64))::bigint AS hash FROM generate_series(1, $2) n) h, phash_bands(h.hash) AS b`,
    [workspace.tenant_id, count],
  );
  await api.sql('ANALYZE file_phash_band');
  return { workspace, probe, near };
}

/** How many rows are looked at for one picture among those seeded, and how PostgreSQL finds them as the service. */
export async function planOf(api: RunningApi, workspace: TestWorkspace, probe: string): Promise<{ looked: number; plan: string }> {
  const lookup = `SELECT b.file_id FROM unnest(phash_probes((SELECT fpb_hash FROM file_phash_band WHERE tenant_id = '${workspace.tenant_id}' AND file_id = '${probe}' LIMIT 1))) AS probe (band)
    JOIN file_phash_band b ON b.tenant_id = '${workspace.tenant_id}' AND b.fpb_band = probe.band`;
  const rows = await api.sqlAsService<{ 'QUERY PLAN': string }>(`EXPLAIN ${lookup}`);
  const [row] = await api.sql<{ looked: string }>(`SELECT count(*) AS looked FROM (${lookup}) l`);
  return { looked: Number(row?.looked), plan: rows.map((line) => line['QUERY PLAN']).join('\n') };
}

/** The share of so many random looks that share a band, up to one bit, with some random looks. */
export async function shareLookedAt(api: RunningApi, count: number): Promise<number> {
  const [row] = await api.sql<{ share: number }>(
    `WITH probes AS (SELECT phash_probes(-6932405187283333756) AS bands)
     SELECT (count(*) FILTER (WHERE (h >> 48 & 65535)::integer = ANY(bands) OR (1 << 16 | (h >> 32 & 65535)::integer) = ANY(bands) OR (2 << 16 | (h >> 16 & 65535)::integer) = ANY(bands) OR (3 << 16 | (h & 65535)::integer) = ANY(bands)))::float8 / count(*) AS share
     FROM (SELECT (('x' || substr(md5(n::text), 1, 16))::bit(64))::bigint AS h FROM generate_series(1, ${count}) n) r, probes`,
  );
  return Number(row?.share);
}

async function storePicture(api: RunningApi, workspace: TestWorkspace, looks: bigint): Promise<string> {
  const { file_id } = await storeFile(api, workspace, {
    name: 'probe.jpg',
    type: 'image/jpeg',
    kind: 'image',
    metadata: { system: { phash: hexOf(looks) } },
  });
  return file_id;
}

async function copiesOf(api: RunningApi, file_id: string, looks: readonly bigint[]): Promise<string[]> {
  const rows = await api.sql<{ file_id: string }>(
    `INSERT INTO file (tenant_id, file_id, file_repo, repo_type, file_name, file_type, file_kind, file_size, file_hash, file_processing, file_metadata, file_provider_id, file_bucket, file_folder, file_current_version, file_blob)
     SELECT f.tenant_id, gen_random_uuid(), f.file_repo, f.repo_type, f.file_name, f.file_type, f.file_kind, f.file_size, f.file_hash, f.file_processing, jsonb_build_object('system', jsonb_build_object('phash', l.phash)), f.file_provider_id, f.file_bucket, f.file_folder, f.file_current_version, f.file_blob
     FROM file f, unnest($2::text[]) AS l (phash) WHERE f.file_id = $1 RETURNING file_id`,
    [file_id, looks.map(hexOf)],
  );
  return rows.map((row) => row.file_id);
}

/** So many different bits turned over, others with every trial. */
function flipped(looks: bigint, distance: number, trial: number): bigint {
  const bits = new Set<number>();
  for (let step = 0; bits.size < distance; step++) bits.add((trial * 29 + step * (7 + trial) + step * step * 3) % 64);
  return [...bits].reduce((hash, bit) => hash ^ (1n << BigInt(bit)), looks);
}

const hexOf = (looks: bigint): string => BigInt.asUintN(64, looks).toString(16).padStart(16, '0');
