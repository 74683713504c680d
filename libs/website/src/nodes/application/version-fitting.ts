import { Injectable } from '@nestjs/common';
import { Forms, type CompiledForm } from '@atrium/forms';
import { Problem, type FieldFault, type JsonObject } from '@atrium/platform/kernel';
import { isBlock, type Block } from '../../content/domain/content-form';
import { overlayKey, resolvePage } from '../../content/domain/overlays';
import { openPage, type ContentPart } from '../../content/domain/page-check';
import { mapEveryBlock } from '../../schemas/domain/blocks-of-schema';
import type { LocaleValues } from '../domain/draft-page';
import type { NodeIssue } from '../domain/page-draft';
import type { OpenDraft } from './open-drafts';
import type { StoredVersion } from './stored-versions';

/** Content of a version as the schemas of today take it. */
export interface FittedVersion {
  readonly tree: JsonObject;
  /** Of the locales that are restored, besides the default one. */
  readonly values: ReadonlyMap<string, LocaleValues>;
  readonly dropped: readonly NodeIssue[];
}

/** A value that its field no longer takes. */
interface Misfit {
  readonly uid: string;
  readonly key: string;
  readonly path: string;
  readonly message: string;
}

const AT = 'node_content';

/** Has versions follow the changes of schemas since they were written, as drafts did; what fits no more is dropped and named. */
@Injectable()
export class VersionFitting {
  constructor(private readonly forms: Forms) {}

  /** Within a unit of work. */
  async fitVersion(draft: OpenDraft, version: StoredVersion, restored: readonly string[]): Promise<FittedVersion> {
    const { site, library } = draft;
    const then = { node_tree: version.tree };
    const rows = library.followSchemas(then, version.locales, version.written);
    const named = rows.filter(({ nl_locale }) => restored.includes(nl_locale) && nl_locale !== site.site_default_locale);
    const tree = then.node_tree;
    if (!isBlock(tree)) return { tree, values: new Map(named.map((row) => [row.nl_locale, row])), dropped: [] };
    const dropped: NodeIssue[] = [];
    const misfits = restored.includes(site.site_default_locale) ? await this.findMisfits(draft, tree) : [];
    dropped.push(...misfits.map((misfit) => droppedIssue(site.site_default_locale, misfit)));
    const values = new Map<string, LocaleValues>();
    for (const row of named) {
      const fitted = await this.fitValues(draft, tree, row);
      values.set(row.nl_locale, fitted.row);
      dropped.push(...fitted.misfits.map((misfit) => droppedIssue(row.nl_locale, misfit)));
    }
    return { tree: misfits.length === 0 ? tree : this.withoutMisfits(draft, tree, misfits), values, dropped };
  }

  /** Values of a locale are judged in the page as the locale shows it. */
  private async fitValues(draft: OpenDraft, tree: Block, row: LocaleValues): Promise<{ row: LocaleValues; misfits: readonly Misfit[] }> {
    if (Object.keys(row.nl_overlay).length === 0) return { row, misfits: [] };
    const shown = resolvePage({ tree, seo: {} }, [row.nl_overlay], draft.library.find).tree;
    const misfits = (await this.findMisfits(draft, shown)).filter(({ uid, key }) => Object.hasOwn(row.nl_overlay, overlayKey(uid, key)));
    const gone = new Set(misfits.map(({ uid, key }) => overlayKey(uid, key)));
    const rest = <T extends object>(of: T): T => Object.fromEntries(Object.entries(of).filter(([key]) => !gone.has(key))) as T;
    return { row: { ...row, nl_overlay: rest(row.nl_overlay), nl_sources: rest(row.nl_sources) }, misfits };
  }

  /** Incomplete content can be restored, and so can links to what is gone by now: their authors read of it in the issues of the page. */
  private async findMisfits(draft: OpenDraft, tree: Block): Promise<readonly Misfit[]> {
    const parts = this.partsOf(draft, tree);
    const scope = { site: draft.site.site_id, stored: 'yes' };
    const checked = await this.forms.validateEach(parts, draft.caller, { incomplete: true, trusted: true, scope, mostBytes: Infinity });
    return checked.flatMap(({ faults }, at) => (parts[at] ? misfitsOf(parts[at], faults) : []));
  }

  private withoutMisfits(draft: OpenDraft, tree: Block, misfits: readonly Misfit[]): JsonObject {
    const gone = new Set(misfits.map(({ uid, key }) => overlayKey(uid, key)));
    const isGone = (block: JsonObject, key: string): boolean => typeof block._uid === 'string' && gone.has(overlayKey(block._uid, key));
    return mapEveryBlock(
      tree,
      (component) => draft.library.find(component)?.form.fields,
      (block) => {
        const kept = Object.entries(block).filter(([key]) => !isGone(block, key));
        return kept.length === Object.keys(block).length ? block : Object.fromEntries(kept);
      },
    );
  }

  private partsOf({ library }: OpenDraft, tree: Block): readonly ContentPart<CompiledForm>[] {
    try {
      return openPage(tree, { find: library.find, template: tree.component, at: AT, previous: tree, newUid: () => '' }).parts;
    } catch (error) {
      // With the values of a locale a page can be larger than its tree may be.
      if (error instanceof Problem && error.code === 'payload_too_large') return [];
      throw error;
    }
  }
}

/** The value of the block in which a fault is; a block that is at fault as a whole stays, with its issues. */
function misfitsOf({ uid, at, content }: ContentPart, faults: readonly FieldFault[]): Misfit[] {
  const found = new Map<string, Misfit>();
  for (const { path, message } of faults) {
    const [key = ''] = path.slice(at.length + 1).split(/[.[]/);
    if (Object.hasOwn(content, key) && !found.has(key)) found.set(key, { uid, key, path: `${at}.${key}`, message });
  }
  return [...found.values()];
}

const droppedIssue = (locale: string, { path, message }: Misfit): NodeIssue => ({
  code: 'dropped',
  severity: 'warning',
  locale,
  path,
  message: `The value of the version was dropped, because its field has changed since: ${message}`,
});
