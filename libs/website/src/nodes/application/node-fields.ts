import { Injectable } from '@nestjs/common';
import { Forms, type CompiledForm } from '@atrium/forms';
import type { Principal } from '@atrium/platform/access';
import { invalidField, invalidFields, type FieldFault, type JsonObject } from '@atrium/platform/kernel';
import { readSlug } from '../../content/domain/slugs';
import type { NodeKind, SiteOfDrafts } from '../domain/page-draft';

const LINK: JsonObject = {
  fields: [{ key: 'node_link', label: 'The link', type: 'link' }],
};
/** What search engines and social networks read; the keys are those of `SEO_KEYS`. */
const SEO: JsonObject = {
  fields: [
    { key: 'title', label: 'The title', type: 'text', max_length: 200 },
    { key: 'description', label: 'The description', type: 'long_text', max_length: 500 },
    { key: 'image', label: 'The image', type: 'asset' },
    { key: 'canonical', label: 'The canonical address', type: 'url' },
    { key: 'noindex', label: 'noindex', type: 'boolean' },
    { key: 'og', label: 'og', type: 'json' },
  ],
};

export interface SlugInput {
  readonly node_slug?: string;
  readonly node_slugs?: Readonly<Record<string, unknown>>;
}

/** Judges what requests say of a node beside its content. */
@Injectable()
export class NodeFields {
  constructor(private readonly forms: Forms) {}

  /** The target of a link, which links have and nothing else; within a unit of work. */
  async checkLink(
    link: JsonObject | null,
    kind: NodeKind,
    asked: { readonly site_id: string; readonly caller: Principal },
  ): Promise<JsonObject | null> {
    if (link === null) return null;
    if (kind !== 'link') throw invalidField('node_link', 'Only a node of the kind link has a target.', 'unknown_field');
    const { node_link } = await this.check(LINK, { node_link: link }, { at: '', ...asked });
    return (node_link ?? null) as JsonObject | null;
  }

  /** Metadata for search engines in the form in which it is stored. */
  checkSeo(seo: JsonObject, asked: { readonly site_id: string; readonly caller: Principal }): Promise<JsonObject> {
    return this.check(SEO, seo, { at: 'node_seo', ...asked });
  }

  /** Slugs in their normal form: those of other locales by the codes of the site. */
  checkSlugs(
    site: SiteOfDrafts,
    { node_slug, node_slugs }: SlugInput,
    { isTop }: { readonly isTop: boolean },
  ): SlugInput & { readonly node_slugs?: Record<string, string> } {
    const place = { isTop, prefixes: site.site_locales.map(({ prefix }) => prefix) };
    const faults: FieldFault[] = [];
    const read = (path: string, value: unknown): string => {
      const slug = typeof value === 'string' ? readSlug(value, place) : { code: 'string', message: 'must be a string' };
      if ('slug' in slug) return slug.slug;
      faults.push({ path, ...slug });
      return '';
    };
    const locales = Object.entries(node_slugs ?? {}).map(([code, value]): [string, string] => {
      const known = site.site_locales.find((locale) => locale.code.toLowerCase() === code.toLowerCase());
      if (!known || known.code === site.site_default_locale)
        faults.push({
          path: `node_slugs.${code.slice(0, 40)}`,
          code: 'option',
          message: 'must be a locale of the site other than the default one',
        });
      return [known?.code ?? code, read(`node_slugs.${code.slice(0, 40)}`, value)];
    });
    const checked = {
      ...(node_slug === undefined ? {} : { node_slug: read('node_slug', node_slug) }),
      ...(node_slugs === undefined ? {} : { node_slugs: Object.fromEntries(locales) }),
    };
    if (faults.length > 0) throw invalidFields(faults);
    return checked;
  }

  private async check(
    config: JsonObject,
    content: JsonObject,
    { at, site_id, caller }: { readonly at: string; readonly site_id: string; readonly caller: Principal },
  ): Promise<JsonObject> {
    const form: CompiledForm = this.forms.compileForm(config, { kind: 'content', at: 'tpl_config' });
    const [checked] = await this.forms.validateEach([{ form, content, at }], caller, { incomplete: true, scope: { site: site_id } });
    if (!checked || checked.faults.length > 0) throw invalidFields(checked?.faults ?? []);
    return checked.content;
  }
}
