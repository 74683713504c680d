import type { JsonObject } from '@atrium/platform/kernel';
import type { CmsMapping, MappedDocument, MappingContext, RemoteDraft, RemotePage, RemoteSchemaDraft } from '../cms-port';
import type { MappedSchema, RemoteSchema, SchemaBook, SchemaDraft } from '../cms-schema';
import type { PageDocument } from '../../../content/domain/page-document';
import { toContentfulDocument } from './contentful-reading';
import { toContentfulSchemas, toContentType } from './contentful-schemas';
import { toContentfulEntries } from './contentful-writing';

/** Entries and content types in the neutral form, and back. */
export class ContentfulMapping implements CmsMapping {
  toSchemas(remote: readonly RemoteSchema[], known: readonly MappedSchema[], settings: JsonObject): readonly MappedSchema[] {
    return toContentfulSchemas(remote, known, settings);
  }

  toRemoteSchema(draft: SchemaDraft, book: SchemaBook): RemoteSchemaDraft {
    return toContentType(draft, book);
  }

  toDocument(page: RemotePage, context: MappingContext): MappedDocument {
    return toContentfulDocument(page, context);
  }

  toRemote(document: PageDocument, seen: RemotePage | null, context: MappingContext): RemoteDraft {
    return toContentfulEntries(document, seen, context);
  }
}
