import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';

export interface StoredSealKey extends Record<string, unknown> {
  readonly sk_id: string;
  readonly sk_public: string;
  readonly sk_private_sealed: string;
}

/** The keys of seals, newest first, across workspaces: through two definer functions. */
@Injectable()
export class SealKeyRows {
  constructor(private readonly db: Database) {}

  listKeys(): Promise<StoredSealKey[]> {
    return this.db.acrossTenants((tx) => tx.query<StoredSealKey>('SELECT * FROM seal_keys()'));
  }

  /** Adds a key unless another one than `newest` is the newest. */
  async addKey({ sk_id, sk_public, sk_private_sealed }: StoredSealKey, newest: string | null): Promise<void> {
    const values = [sk_id, sk_public, sk_private_sealed, newest];
    await this.db.acrossTenants((tx) => tx.query('SELECT seal_key_add($1, $2, $3, $4)', values));
  }
}
