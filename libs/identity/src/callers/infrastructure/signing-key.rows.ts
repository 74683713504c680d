import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';

export type SigningKeyState = 'next' | 'active' | 'retired';

export interface StoredSigningKey {
  readonly sk_id: string;
  readonly sk_public: string;
  readonly sk_private_sealed: string;
  readonly sk_state: SigningKeyState;
}

/** A key pair that no process has stored yet; the private part is sealed. */
export type NewSigningKey = Omit<StoredSigningKey, 'sk_state'>;

/** The keys that sign access tokens, as definer functions reach them. Each returns all keys as they are from then on. */
@Injectable()
export class SigningKeyRows {
  constructor(private readonly db: Database) {}

  listSigningKeys(): Promise<StoredSigningKey[]> {
    return this.query('SELECT * FROM auth_signing_keys()', []);
  }

  /** Adds a key where there is none in that state. */
  addSigningKey({ sk_id, sk_public, sk_private_sealed }: NewSigningKey, state: SigningKeyState): Promise<StoredSigningKey[]> {
    return this.query('SELECT * FROM auth_add_signing_key($1, $2, $3, $4)', [sk_id, sk_public, sk_private_sealed, state]);
  }

  /** The next key becomes the active one, and the new key the next. */
  rotateSigningKeys({ sk_id, sk_public, sk_private_sealed }: NewSigningKey): Promise<StoredSigningKey[]> {
    return this.query('SELECT * FROM auth_rotate_signing_key($1, $2, $3)', [sk_id, sk_public, sk_private_sealed]);
  }

  private query(statement: string, values: readonly string[]): Promise<StoredSigningKey[]> {
    return this.db.acrossTenants((tx) => tx.query<StoredSigningKey & Record<string, unknown>>(statement, values));
  }
}
