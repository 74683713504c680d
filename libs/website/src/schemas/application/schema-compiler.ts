import { Injectable } from '@nestjs/common';
import { Forms, type CompiledForm } from '@atrium/forms';
import { requireScope } from '@atrium/platform/database';
import { LRUCache } from 'lru-cache';
import type { FollowedMove, SchemaKind } from '../domain/content-schema';
import { ContentSchemasRepository, type CompilableSchema } from '../infrastructure/content-schemas.repository';

const KEPT_LIBRARIES = 200;

/** A content schema whose fields are compiled. Content that has not followed its last change yet is read through the moves of the form. */
export interface CompiledSchema {
  readonly tpl_id: string;
  readonly key: string;
  readonly name: string;
  readonly kind: SchemaKind;
  readonly group: string | null;
  readonly active: boolean;
  readonly revision: number;
  readonly form: CompiledForm;
  /** What drafts have followed since the schema exists: older versions of pages follow it when they are read. */
  readonly followed: readonly FollowedMove[];
  /** Keys by which published pages cannot be filtered yet. */
  readonly unready: readonly string[];
}

/** The schemas of a library by their keys; of an inactive one only as long as no active schema has its key. */
export type CompiledLibrary = ReadonlyMap<string, CompiledSchema>;

/** Compiled libraries, which stay compiled until one of their schemas changes. */
@Injectable()
export class SchemaCompiler {
  private readonly compiled = new LRUCache<string, { readonly stamp: string; readonly library: CompiledLibrary }>({ max: KEPT_LIBRARIES });

  constructor(
    private readonly schemas: ContentSchemasRepository,
    private readonly forms: Forms,
  ) {}

  /** Within a unit of work: one statement while nothing has changed. */
  async findCompiled(lib_id: string): Promise<CompiledLibrary> {
    const name = `${requireScope().tenant_id}:${lib_id}`;
    const stamp = await this.schemas.readStamp(lib_id);
    const known = this.compiled.get(name);
    if (known?.stamp === stamp) return known.library;
    const rows = await this.schemas.listCompilable(lib_id);
    const library = new Map(rows.map((row) => [row.tpl_key, this.compileSchema(row)]));
    this.compiled.set(name, { stamp, library });
    return library;
  }

  private compileSchema(row: CompilableSchema): CompiledSchema {
    return {
      tpl_id: row.tpl_id,
      key: row.tpl_key,
      name: row.tpl_name,
      kind: row.tpl_kind,
      group: row.tpl_group,
      active: row.tpl_active,
      revision: row.tpl_revision,
      form: this.forms.compileForm(row.tpl_config, { kind: 'content', at: 'tpl_config' }).withMoves(row.tpl_moves),
      followed: row.tpl_followed,
      unready: row.tpl_unready,
    };
  }
}
