import { Injectable } from '@nestjs/common';
import { ReadableFiles } from '@atrium/files';
import { PersonDataSources } from '@atrium/governance';
import { sql } from '@atrium/platform/database';
import { PASSAGE_VECTORS, VectorIndex } from '@atrium/retrieval';

const CODE = 'A code or an id of the service; contains nothing written by a person.';
const AUTHOR =
  'Documents and their links belong to the workspace. The id of the person who deprecated or linked them remains, but no longer identifies anyone.';

/** What all areas keep of people: each context registers its columns once. */
@Injectable()
export class DocumentsOfPeople {
  constructor(sources: PersonDataSources, vectors: VectorIndex, files: ReadableFiles) {
    sources.register({
      context: 'documents',
      order: 110,
      tables: [
        { table: 'document', column: 'file_deprecated_by', subject: 'user', on_erase: 'keep', because: AUTHOR },
        { table: 'document_relation', column: 'rel_created_by', subject: 'user', on_erase: 'keep', because: AUTHOR },
      ],
      stays: {
        'embedding_cache.emb_hash': CODE,
        'embedding_cache.emb_model': CODE,
        'passage_scope.scope_key': CODE,
        'passage_scope.source_kind': CODE,
        'passage_source.source_kind': CODE,
        'vector_entry.ve_kind': CODE,
        'vector_entry.ve_model': CODE,
      },
      own: {
        document: { readable: (reader) => files.openBy(sql`r.file_id`, reader) },
        document_relation: {
          readable: (reader) => sql`(${files.openBy(sql`r.rel_from`, reader)} AND ${files.openBy(sql`r.rel_to`, reader)})`,
        },
        // What texts mean is computed from them: it goes where a text has changed, and comes back when the source is read again.
        passage: {
          redacted: (keys) =>
            vectors.removeVectors(
              PASSAGE_VECTORS,
              keys.map(([passage_id]) => passage_id ?? ''),
            ),
        },
      },
    });
  }
}
