import { Injectable } from '@nestjs/common';
import { applyMoves, type CompiledForm } from '@atrium/forms';
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
  /** Has a draft that was written by earlier schemas follow them, as it is read: its tree in place, and the values of its locales. */
  followSchemas<T extends LocaleValues>(draft: { node_tree: JsonObject }, locales: readonly T[]): readonly T[];
}

/** The library that the pages of a site are written with. */
@Injectable()
export class SiteLibraries {
  constructor(private readonly schemas: SchemaCompiler) {}

  /** Within a unit of work. */
  async openLibrary({ site_library }: Pick<SiteOfDrafts, 'site_library'>): Promise<SiteLibrary> {
    const byKey = await this.schemas.findCompiled(site_library);
    const byId = new Map([...byKey.values()].map((schema) => [schema.tpl_id, schema]));
    const isMoving = [...byKey.values()].some(({ form }) => form.moves.length > 0);
    return {
      find: (key) => byKey.get(key),
      findTemplate: (tpl_id) => byId.get(tpl_id.toLowerCase()),
      followSchemas: (draft, locales) => (isMoving ? followed(byKey, draft, locales) : locales),
    };
  }
}

function followed<T extends LocaleValues>(library: CompiledLibrary, draft: { node_tree: JsonObject }, locales: readonly T[]): readonly T[] {
  const components = new Map<string, CompiledForm>();
  draft.node_tree = mapEveryBlock(
    draft.node_tree,
    (component) => library.get(component)?.form.fields,
    (block) => {
      const form = typeof block.component === 'string' ? library.get(block.component)?.form : undefined;
      if (!form || form.moves.length === 0 || typeof block._uid !== 'string') return block;
      components.set(block._uid, form);
      return applyMoves(block, form.moves);
    },
  );
  const byForm = new Map<CompiledForm, Set<string>>();
  for (const [uid, form] of components) byForm.set(form, (byForm.get(form) ?? new Set()).add(uid));
  return locales.map((row) => {
    let { nl_overlay, nl_sources } = row;
    for (const [{ moves }, uids] of byForm) {
      const renamed = moves.map((move) => ({ ...move, convert: null }));
      nl_overlay = changeOverlay(nl_overlay, uids, (values) => applyMoves(values, moves));
      nl_sources = changeOverlay(nl_sources, uids, (hashes) => applyMoves(hashes, renamed)) as LocaleValues['nl_sources'];
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
