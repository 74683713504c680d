import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ClosedAlbums } from '@atrium/media';
import type { Principal } from '@atrium/platform/access';
import { sql, type Sql } from '@atrium/platform/database';
import { SearchScopes, TextRepositories } from '@atrium/retrieval';

const SCOPE = 'docs';

/** The document library as the search of passages knows it: the scope `docs`, and who may read which document. */
@Injectable()
export class DocumentTexts implements OnModuleInit {
  constructor(
    private readonly closed: ClosedAlbums,
    private readonly scopes: SearchScopes,
    private readonly repositories: TextRepositories,
  ) {}

  onModuleInit(): void {
    this.scopes.register({ prefix: SCOPE, readable: (actor, keys) => Promise.resolve(this.open(actor, keys)) });
    this.repositories.register({ type: 'docs', readable: (actor) => this.readable(actor) });
  }

  private open(actor: Principal | null, keys: readonly string[] | null): readonly string[] {
    if (actor && !(actor.permissions.has('document:view') && actor.modules.has('module-documents'))) return [];
    return keys === null || keys.includes(SCOPE) ? [SCOPE] : [];
  }

  /** Condition on `r`: no folder that holds it is closed to the actor; for nobody, none has an access list. */
  private async readable(actor: Principal | null): Promise<Sql> {
    const closed = actor ? await this.closed.closedTo(actor, 'docs') : await this.closed.restricted('docs');
    if (closed.length === 0) return sql`true`;
    return sql`NOT EXISTS (SELECT FROM album_file m WHERE m.tenant_id = r.tenant_id AND m.af_file = r.file_id AND m.af_album = ANY(${[...closed]}::uuid[]))`;
  }
}
