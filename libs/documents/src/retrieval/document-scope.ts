import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { SearchScopes } from '@atrium/retrieval';

const SCOPE = 'docs';

/** The document library as a scope of the search of passages; which documents of it somebody may read is the library's to say. */
@Injectable()
export class DocumentScope implements OnModuleInit {
  constructor(private readonly scopes: SearchScopes) {}

  onModuleInit(): void {
    this.scopes.register({ prefix: SCOPE, findReadableKeys: (actor, keys) => Promise.resolve(this.open(actor, keys)) });
  }

  private open(actor: Principal | null, keys: readonly string[] | null): readonly string[] {
    if (actor && !(actor.permissions.has('document:view') && actor.modules.has('module-documents'))) return [];
    return keys === null || keys.includes(SCOPE) ? [SCOPE] : [];
  }
}
