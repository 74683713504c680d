import { Choice, Flag, Json, Nested, Ref, Stamp, Text, Whole } from '@atrium/platform/database';
import { Accepts, acceptParameter, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import type { JsonObject } from '@atrium/platform/kernel';
import { RelationType } from './relation-type';
import { StoredRelation, type Direction } from './stored-relation';

const DIRECTIONS = ['from', 'to'] as const;

/** The whole definition of a relation type; omitted fields are cleared. */
export class DefineRelationType extends Body(RelationType, {
  required: ['rt_name'],
  optional: ['rt_inverse_name', 'rt_symmetric', 'rt_description'],
}) {}

export class ListRelationTypes extends ListQuery(RelationType) {}

@Answer()
export class RelationTypeView extends View(RelationType) {
  @Whole({ about: 'Number of links of the type.', example: 12 }) rt_link_count!: number;
}

export class RelationTypePage extends PageOf(RelationTypeView) {}

@Answer()
export class TypeOfRelation {
  @Ref({ about: 'Id of the relation type.' }) rt_id!: string;
  @Text({ about: 'Label of the link as seen from its source.', example: 'supersedes' }) rt_name!: string;
  @Text({ optional: true, about: 'Label of the link as seen from its target; null if it is the same as the name.' }) rt_inverse_name!:
    string | null;
  @Flag({ about: 'Whether the link reads the same in both directions.' }) rt_symmetric!: boolean;
}

@Answer()
export class RelatedDocument {
  @Ref({ about: 'Id of the document.' }) file_id!: string;
  @Text({ about: 'Name of the document.', example: 'Terms 2026.pdf' }) file_name!: string;
  @Text({ about: 'MIME type.', example: 'application/pdf' }) file_type!: string;
  @Whole({ about: 'Size in bytes.', example: 48_210 }) file_size!: number;
  @Stamp({ about: 'When the document was last changed.' }) file_updated!: Date;
  @Flag({ about: 'Whether the document is deprecated.' }) file_deprecated!: boolean;
}

/** A link, as seen from the requested document. */
@Answer()
export class DocumentRelationView extends View(StoredRelation) {
  @Choice(DIRECTIONS, { about: '`from` if the link starts at the requested document, `to` if it ends there.' }) direction!: Direction;
  @Text({ about: 'Label of the link as seen from the requested document.', example: 'is superseded by' }) label!: string;
  @Nested(() => TypeOfRelation, { about: 'Type of the link.' }) relation_type!: TypeOfRelation;
  @Nested(() => RelatedDocument, { about: 'The document at the other end of the link.' }) document!: RelatedDocument;
}

export class DocumentRelationPage extends PageOf(DocumentRelationView) {}

export class ListRelations extends ListQuery(StoredRelation) {
  direction?: Direction;
}
acceptParameter(
  ListRelations,
  { name: 'direction', kind: 'choice', values: DIRECTIONS },
  { type: 'string', enum: [...DIRECTIONS], description: 'Only links that start at this document (`from`), or that end at it (`to`).' },
);

@Accepts()
export class LinkDocuments {
  @Ref({ about: 'Id of the relation type.' }) rel_type!: string;
  @Ref({ about: 'Id of the other document.' }) document_id!: string;
  @Choice(DIRECTIONS, { omittable: true, about: 'Which end of the link this document is; `from` when omitted.' }) direction?: Direction;
  @Json({ omittable: true, about: 'Your own metadata, at most 64 KB.', example: { page: 4 } }) rel_metadata?: JsonObject;
}
