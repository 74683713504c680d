import { Choice, Flag, Json, Nested, Ref, Stamp, Text, Whole } from '@atrium/platform/database';
import { Accepts, acceptParameter, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import type { JsonObject } from '@atrium/platform/kernel';
import { RelationType } from './relation-type';
import { StoredRelation, type Direction } from './stored-relation';

const DIRECTIONS = ['from', 'to'] as const;

/** The whole definition of a type; what is left out is not there. */
export class DefineRelationType extends Body(RelationType, {
  required: ['rt_name'],
  optional: ['rt_inverse_name', 'rt_symmetric', 'rt_description'],
}) {}

export class ListRelationTypes extends ListQuery(RelationType) {}

@Answer()
export class RelationTypeView extends View(RelationType) {
  @Whole({ about: 'Links of it.', example: 12 }) rt_link_count!: number;
}

export class RelationTypePage extends PageOf(RelationTypeView) {}

@Answer()
export class TypeOfRelation {
  @Ref({ about: 'The type.' }) rt_id!: string;
  @Text({ about: 'How it reads from its beginning.', example: 'supersedes' }) rt_name!: string;
  @Text({ optional: true, about: 'How it reads from its other end; null: like the name.' }) rt_inverse_name!: string | null;
  @Flag({ about: 'Whether it reads the same from both ends.' }) rt_symmetric!: boolean;
}

@Answer()
export class RelatedDocument {
  @Ref({ about: 'The document.' }) file_id!: string;
  @Text({ about: 'Its name.', example: 'Terms 2026.pdf' }) file_name!: string;
  @Text({ about: 'MIME type.', example: 'application/pdf' }) file_type!: string;
  @Whole({ about: 'Size in bytes.', example: 48_210 }) file_size!: number;
  @Stamp({ about: 'When it last changed.' }) file_updated!: Date;
  @Flag({ about: 'Whether it is deprecated.' }) file_deprecated!: boolean;
}

/** A link as the document that was asked reads it. */
@Answer()
export class DocumentRelationView extends View(StoredRelation) {
  @Choice(DIRECTIONS, { about: '`from`: it begins at the document that was asked.' }) direction!: Direction;
  @Text({ about: 'How it reads from that document.', example: 'is superseded by' }) label!: string;
  @Nested(() => TypeOfRelation, { about: 'Its type.' }) relation_type!: TypeOfRelation;
  @Nested(() => RelatedDocument, { about: 'The document at its other end.' }) document!: RelatedDocument;
}

export class DocumentRelationPage extends PageOf(DocumentRelationView) {}

export class ListRelations extends ListQuery(StoredRelation) {
  direction?: Direction;
}
acceptParameter(
  ListRelations,
  { name: 'direction', kind: 'choice', values: DIRECTIONS },
  { type: 'string', enum: [...DIRECTIONS], description: 'Only links that begin here (`from`), or that end here (`to`).' },
);

@Accepts()
export class LinkDocuments {
  @Ref({ about: 'The type of the link.' }) rel_type!: string;
  @Ref({ about: 'The other document.' }) document_id!: string;
  @Choice(DIRECTIONS, { omittable: true, about: 'Which end this document is; `from` when absent.' }) direction?: Direction;
  @Json({ omittable: true, about: 'Free metadata, at most 64 KB.', example: { page: 4 } }) rel_metadata?: JsonObject;
}
