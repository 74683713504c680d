import { Injectable } from '@nestjs/common';
import { invalidField } from '@atrium/platform/kernel';
import { SchemaCompiler, type CompiledSchema } from '../../schemas/application/schema-compiler';
import type { SiteOfDrafts } from '../domain/page-draft';

/** The content schemas of a site, compiled. */
export interface SiteLibrary {
  find(key: string): CompiledSchema | undefined;
  findTemplate(tpl_id: string): CompiledSchema | undefined;
}

/** The library that the pages of a site are written with. */
@Injectable()
export class SiteLibraries {
  constructor(private readonly schemas: SchemaCompiler) {}

  /** Within a unit of work. */
  async openLibrary({ site_library }: Pick<SiteOfDrafts, 'site_library'>): Promise<SiteLibrary> {
    const byKey = await this.schemas.findCompiled(site_library);
    const byId = new Map([...byKey.values()].map((schema) => [schema.tpl_id, schema]));
    return { find: (key) => byKey.get(key), findTemplate: (tpl_id) => byId.get(tpl_id.toLowerCase()) };
  }
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
