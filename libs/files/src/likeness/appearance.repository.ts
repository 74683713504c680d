import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';
import { MOST_APART, partsOf, turnedAndMirrored, wholeOf } from '../inspection/domain/picture-views';

/** Rows that are looked at for one picture: beyond them a workspace holds so many like it that more would tell nothing. */
const MOST_CANDIDATES = 20_000;
const MOST_VARIANTS = 1_000;
const BITS = 64;

export interface LikePicture {
  readonly file_id: string;
  /** Bits in which the looks differ, of 64. */
  readonly distance: number;
}

/**
 * Finds pictures by perceptual hash: any picture that differs in at most 7 of 64 bits shares one of four bands with at most one bit of
 * difference, so that 68 keys of an index lead to all of them and to few others. Only live files have one.
 */
@Injectable()
export class AppearanceRepository {
  constructor(private readonly db: Database) {}

  /** Files of the repository that look like this one, nearest first. */
  findNear(file_id: string, { distance, limit }: { readonly distance: number; readonly limit: number }): Promise<LikePicture[]> {
    const { tenant_id } = requireScope();
    return this.db.read((tx) =>
      tx.query<LikePicture>(sql`
        SELECT c.file_id, c.distance::integer AS distance FROM (${candidates(file_id)}) c
        JOIN file r ON r.tenant_id = ${tenant_id} AND r.file_id = c.file_id
        WHERE c.distance <= ${Math.min(distance, BITS)} AND r.repo_key = (SELECT o.repo_key FROM file o WHERE o.tenant_id = ${tenant_id} AND o.file_id = ${file_id})
        ORDER BY c.distance, c.file_id LIMIT ${limit}`),
    );
  }

  /** Files of the repository whose picture is this one turned, mirrored or cropped, or of which this one is a crop; nearest first. */
  async findVariants(file_id: string, limit: number): Promise<LikePicture[]> {
    const { tenant_id } = requireScope();
    return this.db.read(async (tx) => {
      const own = await tx.first<{ views: string | null }>(sql`
        SELECT b.blob_system ->> 'views' AS views FROM file f JOIN file_blob b ON b.tenant_id = f.tenant_id AND b.blob_id = f.file_blob
        WHERE f.tenant_id = ${tenant_id} AND f.file_id = ${file_id} AND f.file_deleted IS NULL`);
      if (!own?.views) return [];
      const wholes = [...turnedAndMirrored(wholeOf(own.views)), ...partsOf(own.views)].join('');
      return tx.query<LikePicture>(sql`
        WITH near AS MATERIALIZED (
          SELECT blob_id, min(apart) AS apart FROM (
            SELECT * FROM pictures_like(${wholes}, false, ${MOST_APART}, ${MOST_VARIANTS}) UNION ALL SELECT * FROM pictures_like(${wholeOf(own.views)}, true, ${MOST_APART}, ${MOST_VARIANTS})) n
          GROUP BY blob_id)
        SELECT r.file_id, n.apart AS distance FROM near n JOIN file r ON r.tenant_id = ${tenant_id} AND r.file_blob = n.blob_id
        WHERE r.file_id <> ${file_id} AND r.file_deleted IS NULL AND r.repo_key = (SELECT o.repo_key FROM file o WHERE o.tenant_id = ${tenant_id} AND o.file_id = ${file_id})
        ORDER BY n.apart, r.file_id LIMIT ${limit}`);
    });
  }

  /** Live files of the repository with the same bytes, oldest first; empty files have none to be the same. */
  async findEqual(file_id: string, limit: number): Promise<string[]> {
    const { tenant_id } = requireScope();
    const rows = await this.db.read((tx) =>
      tx.query<{ file_id: string }>(sql`
        SELECT r.file_id FROM file o JOIN file r ON r.tenant_id = o.tenant_id AND r.file_hash = o.file_hash AND r.repo_key = o.repo_key AND r.file_size = o.file_size
        WHERE o.tenant_id = ${tenant_id} AND o.file_id = ${file_id} AND o.file_size > 0 AND o.file_deleted IS NULL AND r.file_deleted IS NULL AND r.file_id <> o.file_id
        ORDER BY r.file_created, r.file_id LIMIT ${limit}`),
    );
    return rows.map((row) => row.file_id);
  }
}

/** Every picture that shares a band, up to one bit, with this one; each with its distance. */
function candidates(file_id: string): Sql {
  const { tenant_id } = requireScope();
  return sql`
    SELECT n.file_id, min(n.distance) AS distance FROM (
      SELECT b.file_id, bit_count((b.fpb_hash # own.fpb_hash)::bit(64)) AS distance
      FROM (SELECT fpb_hash FROM file_phash_band WHERE tenant_id = ${tenant_id} AND file_id = ${file_id} LIMIT 1) own
      CROSS JOIN LATERAL unnest(phash_probes(own.fpb_hash)) AS probe (band)
      JOIN file_phash_band b ON b.tenant_id = ${tenant_id} AND b.fpb_band = probe.band
      WHERE b.file_id <> ${file_id} LIMIT ${MOST_CANDIDATES}) n
    GROUP BY n.file_id`;
}
