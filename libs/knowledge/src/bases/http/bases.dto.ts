import { Choice, Json, Ref, Text, Whole } from '@atrium/platform/database';
import { Accepts, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import type { JsonObject } from '@atrium/platform/kernel';
import { KnowledgeBase } from '../domain/knowledge-base';

const DESCRIBED = ['ds_description', 'ds_type', 'ds_category', 'ds_subcategory', 'ds_config'] as const;
const ACL = {
  about:
    'Access list: {users, roles, spaces} with view, edit or owner by id. When empty, every member who holds the permission has access.',
  example: {},
};

export class CreateKnowledgeBase extends Body(KnowledgeBase, { required: ['ds_name'], optional: [...DESCRIBED] }) {}

export class ChangeKnowledgeBase extends Body(KnowledgeBase, { optional: ['ds_name', ...DESCRIBED] }) {}

export class ListKnowledgeBases extends ListQuery(KnowledgeBase) {
  ds_active?: boolean;
}

@Answer()
export class KnowledgeBaseView extends View(KnowledgeBase) {
  @Text({ optional: true, about: 'Name of the schema.', example: 'FAQ' }) form_name!: string | null;
  @Ref({ optional: true, about: 'Who manages the schema: the platform for standard templates; null for the workspace.' })
  form_managed_by!: string | null;
  @Whole({ about: 'Number of files in the base: its own files and linked documents that you can view.', example: 12 })
  ds_file_count!: number;
  @Whole({ about: 'Number of passages that can be found by searching the base.', example: 4_210 }) ds_passage_count!: number;
  @Whole({ about: 'Number of records and files waiting to be indexed.', example: 0 }) ds_pending_count!: number;
  @Whole({ about: 'Number of records and files that could not be indexed.', example: 0 }) ds_failed_count!: number;
  @Choice(['view', 'edit', 'owner'], { about: 'Your access level for the knowledge base.' }) ds_access!: string;
}

export class KnowledgeBasePage extends PageOf(KnowledgeBaseView) {}

@Accepts()
export class ChangeBaseAccess {
  @Json(ACL) ds_acl!: JsonObject;
}

@Answer()
export class BaseAccessView {
  @Json(ACL) ds_acl!: JsonObject;
}
