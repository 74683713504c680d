import { Injectable } from '@nestjs/common';
import { applyMoves } from '@atrium/forms';
import { invalidField, type JsonObject } from '@atrium/platform/kernel';
import { SchemaCompiler, type CompiledLibrary, type CompiledSchema } from '../../schemas/application/schema-compiler';
import { mapEveryBlock } from '../../schemas/domain/blocks-of-schema';
import { changeOverlay } from '../../content/domain/overlays';
import type { LocaleValues } from '../domain/draft-page';
import type { SiteOfDrafts } from '../domain/page-draft';

/** The content schemas of a site, compiled. */
export interface SiteLibrary {
  readonly find: (key: string) => CompiledSchema | undefined;
  findTemplate(tpl_id: string): CompiledSchema | undefined;
  /**
   * Has a draft that was written by earlier schemas follow them, as it is read: its tree in place, and the values of its locales. A version
   * of the page that was written at a moment follows all that drafts have followed since.
   */
  followSchemas<T extends LocaleValues>(draft: { node_tree: JsonObject }, locales: readonly T[], written?: Date): readonly T[];
}

/** The library that the pages of a site are written with. */
@Injectable()
export class SiteLibraries {
  constructor(private readonly schemas: SchemaCompiler) {}

  /** Within a unit of work. */
  async openLibrary({ site_library }: Pick<SiteOfDrafts, 'site_library'>): Promise<SiteLibrary> {
    const byKey = await this.schemas.findCompiled(site_library);
    const byId = new Map([...byKey.values()].map((schema) => [schema.tpl_id, schema]));
    return {
      find: (key) => byKey.get(key),
      findTemplate: (tpl_id) => byId.get(tpl_id.toLowerCase()),
      followSchemas: (draft, locales, written) => {
        const moves = movesOf(byKey, written);
        return moves.size === 0 ? locales : followed(moves, byKey, draft, locales);
      },
    };
  }
}

type Moves = ReturnType<typeof pendingMoves>;

const pendingMoves = ({ form, followed }: CompiledSchema, written: Date | undefined) =>
  written === undefined ? form.moves : [...followed.filter(({ at }) => written < new Date(at)), ...form.moves];

/** By the keys of their schemas, the moves that content has still to make. */
const movesOf = (library: CompiledLibrary, written: Date | undefined): ReadonlyMap<string, Moves> =>
  new Map([...library].map(([key, schema]) => [key, pendingMoves(schema, written)] as const).filter(([, moves]) => moves.length > 0));

function followed<T extends LocaleValues>(
  pending: ReadonlyMap<string, Moves>,
  library: CompiledLibrary,
  draft: { node_tree: JsonObject },
  locales: readonly T[],
): readonly T[] {
  const uids = new Map<Moves, Set<string>>();
  draft.node_tree = mapEveryBlock(
    draft.node_tree,
    (component) => library.get(component)?.form.fields,
    (block) => {
      const moves = typeof block.component === 'string' ? pending.get(block.component) : undefined;
      if (!moves || typeof block._uid !== 'string') return block;
      uids.set(moves, (uids.get(moves) ?? new Set()).add(block._uid));
      return applyMoves(block, moves);
    },
  );
  return locales.map((row) => {
    let { nl_overlay, nl_sources } = row;
    for (const [moves, blocks] of uids) {
      const renamed = moves.map((move) => ({ ...move, convert: null }));
      nl_overlay = changeOverlay(nl_overlay, blocks, (values) => applyMoves(values, moves));
      nl_sources = changeOverlay(nl_sources, blocks, (hashes) => applyMoves(hashes, renamed)) as LocaleValues['nl_sources'];
    }
    return { ...row, nl_overlay, nl_sources };
  });
}

/** An active schema for pages of the library, or `validation_failed`. */
export function requireTemplate(library: SiteLibrary, tpl_id: string | null | undefined): CompiledSchema {
  const template = tpl_id ? library.findTemplate(tpl_id) : undefined;
  if (!tpl_id) throw invalidField('node_template', 'A page must have a template: a content schema of the library of the site.', 'required');
  if (!template || template.kind === 'block')
    throw invalidField('node_template', 'must be a content schema for pages in the library of the site', 'reference');
  if (!template.active) throw invalidField('node_template', 'must be an active content schema', 'reference');
  return template;
}
