import type { JsonObject } from '@atrium/platform/kernel';
import type { RootContent } from 'mdast';
import { docOfMarkdown } from '../domain/doc-from-markdown';

type Parse = (markdown: string) => readonly RootContent[];

/** Reads markdown as a document. */
export async function perform({ markdown }: { readonly markdown: string }): Promise<JsonObject> {
  const parse = await prepare();
  return docOfMarkdown(parse(markdown));
}

export async function prepare(): Promise<Parse> {
  const [{ fromMarkdown }, { gfm }, { gfmFromMarkdown }] = await Promise.all([
    import('mdast-util-from-markdown'),
    import('micromark-extension-gfm'),
    import('mdast-util-gfm'),
  ]);
  return (markdown) => fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }).children;
}
