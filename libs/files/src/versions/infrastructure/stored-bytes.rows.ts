import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import type { Renditions } from '../../blobs/domain/renditions';

/** Bytes of a version, and why they may be out of reach. */
export interface VersionBytes {
  readonly fv_type: string;
  readonly fv_size: number;
  readonly fv_quarantine: string | null;
  readonly file_processing: string;
  readonly blob_key: string;
  readonly blob_replicas: Renditions;
}

/** Bytes of a file that an owner keeps. */
export interface Pin {
  readonly file_id: string;
  readonly hash: string;
  readonly owner: string;
}

/** Bytes of files by their hash, and what pins them. */
@Injectable()
export class StoredByteRows {
  constructor(private readonly db: Database) {}

  /** The newest version of the live file with these bytes. */
  findBytes(file_id: string, hash: string): Promise<VersionBytes | undefined> {
    return this.db.current().first<VersionBytes>(sql`
      SELECT v.fv_type, v.fv_size, v.fv_quarantine, f.file_processing, b.blob_key, b.blob_replicas
      FROM file f JOIN file_version v ON v.tenant_id = f.tenant_id AND v.fv_file = f.file_id JOIN file_blob b ON b.tenant_id = v.tenant_id AND b.blob_id = v.fv_blob
      WHERE f.tenant_id = ${requireScope().tenant_id} AND f.file_id = ${file_id} AND f.file_deleted IS NULL AND v.fv_hash = ${hash} ORDER BY v.fv_number DESC LIMIT 1`);
  }

  /** Pruning locks the file too, so its versions remain until the unit of work ends. */
  async lockFile(file_id: string): Promise<void> {
    await this.db.current().query(sql`SELECT 1 FROM file WHERE tenant_id = ${requireScope().tenant_id} AND file_id = ${file_id} FOR SHARE`);
  }

  /** Whether a version of the file has the bytes; they are pinned then. */
  async insertPin(file_id: string, hash: string, owner: string): Promise<boolean> {
    const { tenant_id } = requireScope();
    const pinned = await this.db.current().execute(sql`
      INSERT INTO file_pin (tenant_id, file_id, pin_hash, pin_owner)
      SELECT v.tenant_id, v.fv_file, v.fv_hash, ${owner} FROM file_version v WHERE v.tenant_id = ${tenant_id} AND v.fv_file = ${file_id} AND v.fv_hash = ${hash} LIMIT 1
      ON CONFLICT (tenant_id, file_id, pin_hash, pin_owner) DO UPDATE SET pin_owner = excluded.pin_owner`);
    return pinned > 0;
  }

  /** Without a hash all that the owner pinned of the file. */
  async deletePins(file_id: string, owner: string, hash: string | null): Promise<void> {
    await this.db.current().execute(sql`
      DELETE FROM file_pin WHERE tenant_id = ${requireScope().tenant_id} AND file_id = ${file_id} AND pin_owner = ${owner} AND (${hash}::text IS NULL OR pin_hash = ${hash}::text)`);
  }

  /** Of many files at once, whose rows the caller has locked; those without such a version are left out. */
  async insertPins(pins: readonly Pin[]): Promise<void> {
    await this.db.current().execute(sql`
      INSERT INTO file_pin (tenant_id, file_id, pin_hash, pin_owner)
      SELECT DISTINCT v.tenant_id, v.fv_file, v.fv_hash, x.owner FROM jsonb_to_recordset(${JSON.stringify(pins)}::jsonb) AS x (file_id uuid, hash text, owner text)
        JOIN file_version v ON v.tenant_id = ${requireScope().tenant_id} AND v.fv_file = x.file_id AND v.fv_hash = x.hash
      ON CONFLICT DO NOTHING`);
  }

  /** All that these owners pinned of these files. */
  async deletePinsOf(pins: readonly Omit<Pin, 'hash'>[]): Promise<void> {
    await this.db.current().execute(sql`
      DELETE FROM file_pin p USING jsonb_to_recordset(${JSON.stringify(pins)}::jsonb) AS x (file_id uuid, owner text)
      WHERE p.tenant_id = ${requireScope().tenant_id} AND p.file_id = x.file_id AND p.pin_owner = x.owner`);
  }
}
