import { Injectable, type OnModuleInit } from '@nestjs/common';
import { FormReferences, type ReferenceAsker, type ReferenceQuestion, type ReferenceSource } from '@atrium/forms';
import { NodeReferenceRows, type PageOfSite } from '../infrastructure/node-references.rows';
import { idsIn } from '../domain/lineage';

const UNKNOWN = 'points to a page that does not exist in this site.';

/** Pages as fields of other pages refer to them: those of the same site. */
@Injectable()
export class PageReferences implements ReferenceSource, OnModuleInit {
  constructor(
    private readonly references: FormReferences,
    private readonly rows: NodeReferenceRows,
  ) {}

  onModuleInit(): void {
    this.references.register('page', this);
  }

  async findMisfits(questions: readonly ReferenceQuestion[], { scope = {} }: ReferenceAsker): Promise<readonly (string | null)[]> {
    if (scope.stored !== undefined) return questions.map(() => null);
    if (scope.site === undefined) return questions.map(() => UNKNOWN);
    const pages = await this.rows.findPages(scope.site, [...new Set(questions.map(({ id }) => id))]);
    return questions.map(({ id, settings }) => misfitOf(pages.get(id), settings));
  }
}

function misfitOf(page: PageOfSite | undefined, { templates, under }: ReferenceQuestion['settings']): string | null {
  if (!page) return UNKNOWN;
  if (Array.isArray(templates) && templates.length > 0 && !templates.includes(page.tpl_key))
    return `must point to a page with one of the templates ${templates.join(', ')}.`;
  const above = idsIn(page.node_lineage).slice(0, -1);
  return typeof under === 'string' && !above.includes(under.toLowerCase())
    ? 'must point to a page below the one that the field names.'
    : null;
}
