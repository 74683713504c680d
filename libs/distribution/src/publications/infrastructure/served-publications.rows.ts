import { Injectable } from '@nestjs/common';
import { Database, sql } from '@atrium/platform/database';
import { apartFromRequest } from '@atrium/platform/kernel';
import type { AddressState } from '../../control/domain/evaluator';

/** One public address as it is answered. */
export interface ServedPublication {
  readonly tenant_id: string;
  readonly pub_id: string;
  readonly pub_name: string;
  readonly standing: AddressState;
  /** Whether the module is licensed. */
  readonly licensed: boolean;
  readonly copy: ServedCopy | null;
  readonly deny: readonly string[];
  readonly restrictions: readonly string[];
}

export interface ServedCopy {
  readonly object: string;
  readonly hash: string;
  readonly size: number;
  readonly type: string;
  readonly made: Date;
}

interface Row extends Record<string, unknown> {
  readonly pub_key: string;
  readonly tenant_id: string;
  readonly pub_id: string;
  readonly ws_status: string;
  readonly ws_licensed: boolean;
  readonly pub_state: AddressState['state'];
  readonly pub_name: string;
  readonly pub_start: string | null;
  readonly pub_end: string | null;
  readonly pub_published: string | null;
  readonly pub_size: number | null;
  readonly pub_content_type: string | null;
  readonly pub_hash: string | null;
  readonly pub_object: string | null;
  readonly pub_copied: string | null;
  readonly pub_deny: string[];
  readonly pub_restrictions: string[];
}

/** Looks up public keys across workspaces; however many are asked for at the same time are one statement. */
@Injectable()
export class ServedPublications {
  private waiting: { readonly keys: Set<string>; readonly found: Promise<ReadonlyMap<string, ServedPublication>> } | null = null;

  constructor(private readonly db: Database) {}

  async findServed(pub_key: string): Promise<ServedPublication | null> {
    this.waiting ??= apartFromRequest(() => this.gather());
    this.waiting.keys.add(pub_key);
    return (await this.waiting.found).get(pub_key) ?? null;
  }

  private gather(): NonNullable<ServedPublications['waiting']> {
    const keys = new Set<string>();
    const found = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      this.waiting = null;
      return this.read([...keys]);
    });
    return { keys, found };
  }

  private async read(keys: readonly string[]): Promise<ReadonlyMap<string, ServedPublication>> {
    const rows = await this.db.acrossTenants((tx) => tx.query<Row>(sql`SELECT * FROM publications_served(${[...keys]}::text[])`));
    return new Map(rows.map((row) => [row.pub_key, servedOf(row)]));
  }
}

function servedOf(row: Row): ServedPublication {
  const { pub_object, pub_hash, pub_size, pub_content_type, pub_copied } = row;
  const copy =
    pub_object !== null && pub_hash !== null && pub_size !== null
      ? { object: pub_object, hash: pub_hash, size: pub_size, type: pub_content_type ?? '', made: new Date(pub_copied ?? 0) }
      : null;
  return {
    tenant_id: row.tenant_id,
    pub_id: row.pub_id,
    pub_name: row.pub_name,
    standing: {
      state: row.pub_state,
      start: row.pub_start === null ? null : new Date(row.pub_start),
      end: row.pub_end === null ? null : new Date(row.pub_end),
      everLive: row.pub_published !== null,
      ready: copy !== null,
      closed: row.ws_status === 'active' ? null : 'suspended',
    },
    licensed: row.ws_licensed,
    copy,
    deny: row.pub_deny,
    restrictions: row.pub_restrictions,
  };
}
