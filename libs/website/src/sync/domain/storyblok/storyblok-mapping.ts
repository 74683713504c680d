import type { JsonObject } from '@atrium/platform/kernel';
import type { CmsMapping, MappedDocument, MappingContext, RemoteDraft, RemotePage, RemoteSchemaDraft } from '../cms-port';
import type { MappedSchema, RemoteSchema, SchemaBook, SchemaDraft } from '../cms-schema';
import type { PageDocument } from '../../../content/domain/page-document';
import { toStoryblokDocument, toStoryblokStory } from './storyblok-pages';
import { toStoryblokComponent, toStoryblokSchemas } from './storyblok-schemas';

/** Stories and components in the neutral form, and back. */
export class StoryblokMapping implements CmsMapping {
  toSchemas(remote: readonly RemoteSchema[], known: readonly MappedSchema[], _settings: JsonObject): readonly MappedSchema[] {
    return toStoryblokSchemas(remote, known);
  }

  toRemoteSchema(draft: SchemaDraft, book: SchemaBook): RemoteSchemaDraft {
    const names = new Map(book.schemas.map(({ tpl_key, remote }) => [tpl_key, remote.name]));
    return toStoryblokComponent(draft, book.findByKey(draft.tpl_key) ?? null, names);
  }

  toDocument(page: RemotePage, context: MappingContext): MappedDocument {
    return toStoryblokDocument(page, context);
  }

  toRemote(document: PageDocument, seen: RemotePage | null, context: MappingContext): RemoteDraft {
    return toStoryblokStory(document, seen, context);
  }
}
